import { slugOf } from '../../../parts/slug-of.ts'

const MAX_SKU_LENGTH = 100

/** The slug that the shop makes from a title while no other product has it. */
export function suggestedSlug(title: string): string {
  return slugOf(title, 'product')
}

/** The SKU that the shop gives to a variant without one. */
export function suggestedSku(slug: string, options: Readonly<Record<string, string>>): string {
  if (slug === '') return ''
  return [slug, ...Object.values(options).map(suggestedSlug)].join('-').toUpperCase().slice(0, MAX_SKU_LENGTH)
}
