import type { Language } from '../../messages/language.ts'
import type { ProductList } from '../../shop/catalog.ts'
import { chosenValues, type ListState } from './list-state.ts'

export interface ChosenFilter {
  label: string
  /** The list without it. */
  without: ListState
}

/** @returns the filters of a list, one by one, in the order of the form */
export function chosenFilters(
  state: ListState,
  { facets }: ProductList,
  language: Language,
  currency: string,
): ChosenFilter[] {
  const first = { ...state, page: 1, cursor: undefined }
  const known = { sizes: facets.sizes, colors: facets.colors.map(({ name }) => name), tags: facets.tags }
  const filters = (['sizes', 'colors', 'tags'] as const).flatMap((name): ChosenFilter[] => {
    const chosen = chosenValues(state[name], known[name])
    return chosen.map((value) => ({
      label: value,
      without: { ...first, [name]: chosen.filter((one) => one !== value).join(',') },
    }))
  })
  const { t, amount } = language
  const { minPrice, maxPrice, inStock } = state
  const add = (label: string, change: Partial<ListState>) => filters.push({ label, without: { ...first, ...change } })
  if (minPrice !== undefined) add(t('list.priceFrom', { price: amount(minPrice, currency) }), { minPrice: undefined })
  if (maxPrice !== undefined) add(t('list.priceTo', { price: amount(maxPrice, currency) }), { maxPrice: undefined })
  if (inStock) add(t('list.inStock'), { inStock: false })
  return filters
}
