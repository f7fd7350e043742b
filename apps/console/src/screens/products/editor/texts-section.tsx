import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from './section.tsx'
import { LongTextField, useFieldOf } from './text-field.tsx'

/** Lists of short texts for the product page. */
export function TextsSection(): ReactNode {
  const { t } = useTranslation()
  const fieldOf = useFieldOf()
  return (
    <Section name="texts">
      <LongTextField {...fieldOf('details')} description={t('products.field.perLine')} />
      <LongTextField {...fieldOf('care')} description={t('products.field.perLine')} />
    </Section>
  )
}
