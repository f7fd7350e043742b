import { useTranslation } from 'react-i18next'
import type { CsvAttributes, CsvColumn, CsvTarget } from '@storefront/contracts/product-csv'

/** The keys of their names in the catalogs of messages. */
const NAMES = {
  Handle: 'slug',
  Title: 'title',
  'Body (HTML)': 'description',
  Vendor: 'maker',
  Tags: 'tags',
  Type: 'type',
  Published: 'published',
  Status: 'status',
  'Option1 Name': 'option1Name',
  'Option1 Value': 'option1',
  'Option2 Name': 'option2Name',
  'Option2 Value': 'option2',
  'Option3 Name': 'option3Name',
  'Option3 Value': 'option3',
  'Variant SKU': 'sku',
  'Variant Price': 'price',
  'Variant Compare At Price': 'compareAtPrice',
  'Variant Inventory Qty': 'inventory',
  'Variant Image': 'variantImage',
  'Image Src': 'images',
  'Image Position': 'imagePosition',
  'Image Alt Text': 'imageAlt',
} as const satisfies Record<CsvColumn, string>

/** @returns what a column becomes, in words */
export function useTargetName(attributes: CsvAttributes): (target: CsvTarget) => string {
  const { t } = useTranslation()
  return (target) => {
    if (target === 'care') return t('import.field.care')
    if (isColumn(target)) return t(`import.field.${NAMES[target]}`)
    const key = target.slice('specs.'.length)
    return t('import.field.spec', { name: attributes.find((each) => each.key === key)?.label ?? key })
  }
}

function isColumn(target: CsvTarget): target is CsvColumn {
  return Object.hasOwn(NAMES, target)
}
