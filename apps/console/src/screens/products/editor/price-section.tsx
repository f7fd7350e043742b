import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readAmount } from '../../../parts/amounts.ts'
import { useEditor } from './editor-context.ts'
import { SALE_PERCENT } from './preview/preview-facts.ts'
import { Section } from './section.tsx'
import { TextField, useFieldOf } from './text-field.tsx'

export function PriceSection(): ReactNode {
  const { t } = useTranslation()
  const { form, currency } = useEditor()
  const fieldOf = useFieldOf()
  const unit = <Text c="dimmed">{currency}</Text>
  return (
    <Section name="price">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField
          {...fieldOf('price')}
          description={t('products.field.priceHint')}
          inputMode="decimal"
          rightSection={unit}
          rightSectionWidth={52}
          required
        />
        <TextField
          {...fieldOf('compareAtPrice')}
          description={discountText()}
          inputMode="decimal"
          rightSection={unit}
          rightSectionWidth={52}
        />
      </SimpleGrid>
    </Section>
  )

  function discountText(): string {
    const price = readAmount(form.price, currency)
    const former = readAmount(form.compareAtPrice, currency)
    if (price === undefined || former === undefined || former <= price) return t('products.field.compareAtHint')
    const percent = Math.floor((100 * (former - price)) / former)
    return percent >= SALE_PERCENT ? t('products.field.sale', { percent }) : t('products.field.noSale', { percent })
  }
}
