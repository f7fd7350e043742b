import { Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeChartsQuery } from '../products-queries.ts'
import { useEditor } from './editor-context.ts'
import type { FitForm, Verdict } from './product-form.ts'
import { Section } from './section.tsx'
import { TextField } from './text-field.tsx'

const VERDICTS: readonly Verdict[] = ['true-to-size', 'runs-small', 'runs-large']

/** How the product fits, the model in the pictures, and the size chart. */
export function FitSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change, errors } = useEditor()
  const { fit } = form
  const charts = useQuery(sizeChartsQuery).data?.items ?? []
  const update = (fields: Partial<FitForm>): void => change((now) => ({ fit: { ...now.fit, ...fields } }))
  const known = charts.map(({ id, columns, unit }) => ({ value: id, label: `${id} (${columns.join(', ')}; ${unit})` }))
  // A chart that was deleted since.
  const isGone = form.sizeChartId !== '' && !charts.some(({ id }) => id === form.sizeChartId)
  return (
    <Section name="fit">
      <Select
        label={t('products.field.sizeChart')}
        data={isGone ? [...known, { value: form.sizeChartId, label: form.sizeChartId }] : known}
        value={form.sizeChartId === '' ? null : form.sizeChartId}
        onChange={(sizeChartId) => change(() => ({ sizeChartId: sizeChartId ?? '' }))}
        error={errors['sizeChartId']}
        placeholder={t('products.field.noSizeChart')}
        searchable
        clearable
      />
      <Select
        label={t('products.field.verdict')}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: t(`products.verdict.${verdict}`) }))}
        value={fit.verdict === '' ? null : fit.verdict}
        onChange={(verdict) => update({ verdict: VERDICTS.find((each) => each === verdict) ?? '' })}
        clearable
      />
      <TextField
        path="fit.note"
        label={t('products.field.fitNote')}
        value={fit.note}
        onChange={(note) => update({ note })}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextField
          path="fit.model.height"
          label={t('products.field.modelHeight')}
          value={fit.modelHeight}
          onChange={(modelHeight) => update({ modelHeight })}
          inputMode="numeric"
        />
        <TextField
          path="fit.model.size"
          label={t('products.field.modelSize')}
          value={fit.modelSize}
          onChange={(modelSize) => update({ modelSize })}
        />
        <TextField
          path="fit.model.label"
          label={t('products.field.modelLabel')}
          value={fit.modelLabel}
          onChange={(modelLabel) => update({ modelLabel })}
        />
      </SimpleGrid>
    </Section>
  )
}
