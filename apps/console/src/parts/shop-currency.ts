import { queryOptions, useQuery } from '@tanstack/react-query'
import { shop } from '../shop.ts'

const DEFAULT = 'USD'

const currencyQuery = queryOptions({
  queryKey: ['shop-currency'],
  queryFn: async () => (await shop.get('/admin/storefront')).pricing?.currency ?? DEFAULT,
  staleTime: 5 * 60_000,
})

/** The currency of all amounts of the shop; undefined until it is known. */
export function useShopCurrency(): string | undefined {
  return useQuery(currencyQuery).data
}
