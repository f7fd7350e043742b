import { Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { t } from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { takenFault } from '../../parts/already-exists.ts'
import { Card } from '../../parts/card.tsx'
import type { EditedRecord } from '../../parts/edit-conflict.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { showSaved, useStored } from '../../parts/stored-form.ts'
import { useRecordForm } from '../../parts/use-record-form.ts'
import { useCan } from '../../session.ts'
import { messageOf } from '../../shop.ts'
import { changeSizeChart, createSizeChart, readSizeChart } from './save-size-chart.ts'
import { focusCell, SizeChartGrid } from './size-chart-grid.tsx'
import { firstFault, type SizeChartValues } from './size-chart-values.ts'

interface SizeChartFormProps {
  stored: SizeChartValues
  isNew: boolean
  onCreated: (id: string) => void
}

/** Name, unit and table of a size chart. */
export function SizeChartForm({ stored, isNew, onCreated }: SizeChartFormProps): ReactNode {
  const { t } = useTranslation()
  const canWrite = useCan()('catalog:write')
  const [showsFaults, setShowsFaults] = useState(false)
  const form = useForm<SizeChartValues>({
    initialValues: stored,
    validate: { id: (id) => (id.trim() === '' ? t('sizeCharts.fault.name') : null) },
  })
  const saving = useRecordForm<SizeChartValues>({
    form,
    record: recordOf(stored.id),
    send: async ({ before, after }) => {
      if (!isNew) return changeSizeChart(before, after)
      await createSizeChart(after)
      return after
    },
    faultsOf: (error) => takenFault('id', error),
    onSaved(saved, sent) {
      showSaved(form, sent, saved)
      setShowsFaults(false)
      if (isNew) onCreated(saved.id.trim())
    },
  })
  useStored(form, stored, saving.isPending)

  function submit(): void {
    if (saving.isPending) return
    setShowsFaults(true)
    const cell = firstFault(form.values)
    if (form.validate().hasErrors) return
    if (cell) focusCell(cell)
    else saving.save()
  }
  const fault = showsFaults && firstFault(form.values) ? t('sizeCharts.fault.cells') : undefined
  return (
    <Stack maw={960}>
      <SizeChartTexts form={form} isNew={isNew} canWrite={canWrite} />
      <Card title={t('sizeCharts.table')} text={t('sizeCharts.tableHint')}>
        <SizeChartGrid
          values={form.values}
          canWrite={canWrite}
          showsFaults={showsFaults}
          onChange={(values) => form.setValues(values)}
        />
      </Card>
      <SaveBar
        isDirty={form.isDirty()}
        action={t(isNew ? 'sizeCharts.create' : 'common.save')}
        isSaving={saving.isPending}
        fault={saving.error ? messageOf(saving.error) : fault}
        onSave={submit}
        onDiscard={() => {
          saving.discard()
          setShowsFaults(false)
        }}
      />
      {saving.conflict.dialog}
    </Stack>
  )
}

function recordOf(id: string): EditedRecord<SizeChartValues> {
  return {
    kind: 'size-chart',
    id,
    fields: [
      { label: t('sizeCharts.field.unit'), keys: ['unit'] },
      { label: t('sizeCharts.field.note'), keys: ['note'] },
      { label: t('sizeCharts.table'), keys: ['columns', 'rows'] },
    ],
    read: () => readSizeChart(id),
  }
}

interface SizeChartTextsProps {
  form: UseFormReturnType<SizeChartValues>
  isNew: boolean
  canWrite: boolean
}

function SizeChartTexts({ form, isNew, canWrite }: SizeChartTextsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('sizeCharts.texts')}>
      <Group align="flex-start">
        <TextInput
          label={t('sizeCharts.field.name')}
          description={t('sizeCharts.nameHint')}
          {...form.getInputProps('id')}
          disabled={!canWrite}
          readOnly={!isNew}
          autoFocus={isNew}
          maxLength={200}
          flex={1}
          miw={200}
        />
        <TextInput
          label={t('sizeCharts.field.unit')}
          description={t('sizeCharts.unitHint')}
          {...form.getInputProps('unit')}
          disabled={!canWrite}
          maxLength={50}
          w={180}
        />
      </Group>
      <Textarea
        mt="sm"
        label={t('sizeCharts.field.note')}
        {...form.getInputProps('note')}
        disabled={!canWrite}
        minRows={1}
        maxRows={6}
        maxLength={2000}
      />
    </Card>
  )
}
