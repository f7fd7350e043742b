import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readAmount } from '../../../parts/amounts.ts'
import { useEditor } from './editor-context.ts'
import { SALE_PERCENT } from './preview/preview-facts.ts'
import { Section } from './section.tsx'
import { TextField } from './text-field.tsx'

export function PriceSection(): ReactNode {
  const { t } = useTranslation()
  const { form, change, currency } = useEditor()
  const unit = <Text c="dimmed">{currency}</Text>
  return (
    <Section name="price">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField
          path="price"
          label={t('products.field.price')}
          description={t('products.field.priceHint')}
          value={form.price}
          onChange={(price) => change(() => ({ price }))}
          inputMode="decimal"
          rightSection={unit}
          rightSectionWidth={52}
          required
        />
        <TextField
          path="compareAtPrice"
          label={t('products.field.compareAtPrice')}
          description={discountText()}
          value={form.compareAtPrice}
          onChange={(compareAtPrice) => change(() => ({ compareAtPrice }))}
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
