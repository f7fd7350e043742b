import type { ResponseOf } from '@storefront/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { countryName } from './parts/country.ts'
import { shop } from './shop.ts'

/** The configuration of the shop, for what screens need of it. */
export const shopSettingsQuery = queryOptions({
  queryKey: ['shop-settings'],
  queryFn: ({ signal }) => shop.get('/admin/storefront', { signal }),
  staleTime: 5 * 60_000,
})

/** The currency of all amounts of the shop. */
export function shopCurrencyOf({ pricing }: ResponseOf<'GET /admin/storefront'>): string {
  return pricing?.currency ?? 'USD'
}

/** The currency of all amounts of the shop; undefined until it is known. */
export function useShopCurrency(): string | undefined {
  const settings = useQuery(shopSettingsQuery).data
  return settings && shopCurrencyOf(settings)
}

/**
 * The countries that the shop delivers to, for a choice.
 * @param chosen a country that is in the choice, even if the shop no longer delivers to it
 */
export function useCountries(chosen = ''): { value: string; label: string }[] {
  const served = useQuery(shopSettingsQuery).data?.commerce?.countries ?? []
  const codes = new Set([...served.map(([code]) => code), ...(chosen === '' ? [] : [chosen.toUpperCase()])])
  return [...codes]
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}
