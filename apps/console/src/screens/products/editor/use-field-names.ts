import i18next from 'i18next'
import { useTranslation } from 'react-i18next'

/** The fields of a request that have a name of their own on the screen. */
const NAMES = [
  'title',
  'slug',
  'subtitle',
  'description',
  'details',
  'care',
  'price',
  'compareAtPrice',
  'published',
  'publishAt',
  'unpublishAt',
  'categories',
  'tags',
  'position',
  'stock',
] as const
/** Those that are named after their section. */
const SECTION_OF = {
  images: 'images',
  options: 'variants',
  variants: 'variants',
  swatches: 'variants',
  fit: 'fit',
  sizeChartId: 'fit',
  fabric: 'fabric',
  enrichment: 'specs',
  pinnedBadges: 'organization',
  relatedSlugs: 'organization',
} as const

/** @returns whether a field of a request has a name of its own */
export function isNamed(field: string): field is (typeof NAMES)[number] {
  return NAMES.some((each) => each === field)
}

/** @returns a function that lists fields of a request as a person calls them */
export function useFieldNames(): (fields: readonly string[]) => string {
  const { t } = useTranslation()
  const nameOf = (field: string): string => {
    if (isNamed(field)) return t(`products.field.${field}`)
    const section = Object.entries(SECTION_OF).find(([each]) => each === field)?.[1]
    return section ? t(`products.section.${section}`) : field
  }
  return (fields) => {
    const names = [...new Set(fields.map(nameOf))]
    return new Intl.ListFormat(i18next.language, { type: 'conjunction' }).format(names)
  }
}
