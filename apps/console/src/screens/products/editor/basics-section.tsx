import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'
import { Section } from './section.tsx'
import { LongTextField, TextField } from './text-field.tsx'

/** What the product is called, and what is said about it. */
export function BasicsSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change, isNew } = useEditor()
  return (
    <Section name="basics">
      <TextField
        path="title"
        label={t('products.field.title')}
        value={form.title}
        onChange={(title) => change(() => ({ title }))}
        autoFocus={isNew}
        maxLength={300}
        required
      />
      <TextField
        path="subtitle"
        label={t('products.field.subtitle')}
        value={form.subtitle}
        onChange={(subtitle) => change(() => ({ subtitle }))}
        maxLength={500}
      />
      <LongTextField
        path="description"
        label={t('products.field.description')}
        value={form.description}
        onChange={(description) => change(() => ({ description }))}
      />
    </Section>
  )
}
