import { shop } from '../../../shop.ts'
import type { LineValues } from './draft-values.ts'

/**
 * A line for each of these products, with the first variant that is in stock.
 * @param soldOut the words for a variant that is not
 */
export async function linesOfProducts(slugs: readonly string[], soldOut: string): Promise<LineValues[]> {
  const query = { slugs: slugs.join(','), per_page: slugs.length }
  const { items } = await shop.get('/admin/products', { params: { query } })
  return items.flatMap(({ title, variants }) => {
    const chosen = variants.find(({ inventory }) => inventory > 0) ?? variants[0]
    if (!chosen) return []
    const labelOf = (variant: typeof chosen): string => Object.values(variant.options).join(', ')
    const choices = variants.map((variant) => ({
      value: variant.id,
      label: [labelOf(variant), variant.inventory === 0 ? soldOut : ''].filter((part) => part !== '').join(' – '),
    }))
    return [{ variantId: chosen.id, quantity: 1, title, options: labelOf(chosen), choices }]
  })
}
