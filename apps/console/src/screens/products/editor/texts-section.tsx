import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { LongTextField } from './text-field.tsx'

/** Lists of short texts for the product page. */
export function TextsSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  return (
    <Section name="texts">
      <LongTextField
        path="details"
        label={t('products.field.details')}
        description={t('products.field.perLine')}
        value={form.details}
        onChange={(details) => change(() => ({ details }))}
      />
      <LongTextField
        path="care"
        label={t('products.field.care')}
        description={t('products.field.perLine')}
        value={form.care}
        onChange={(care) => change(() => ({ care }))}
      />
    </Section>
  )
}
