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
  const named = (['sizes', 'colors', 'tags'] as const).flatMap((name) => {
    const chosen = chosenValues(state[name], known[name])
    return chosen.map((value) => ({
      label: value,
      without: { ...first, [name]: chosen.filter((one) => one !== value).join(',') },
    }))
  })
  const { t, amount } = language
  const { minPrice, maxPrice, inStock } = state
  return [
    ...named,
    ...(minPrice === undefined
      ? []
      : [
          {
            label: t('list.priceFrom', { price: amount(minPrice, currency) }),
            without: { ...first, minPrice: undefined },
          },
        ]),
    ...(maxPrice === undefined
      ? []
      : [
          {
            label: t('list.priceTo', { price: amount(maxPrice, currency) }),
            without: { ...first, maxPrice: undefined },
          },
        ]),
    ...(inStock ? [{ label: t('list.inStock'), without: { ...first, inStock: false } }] : []),
  ]
}
