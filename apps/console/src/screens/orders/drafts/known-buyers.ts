import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../../shop.ts'
import { NEW_DRAFT, type DraftValues } from './draft-values.ts'

const SUGGESTED = 8
/** One letter suggests nothing useful. */
const LEAST_LETTERS = 2

/** Buyers of earlier orders with this in their name or address. */
export const knownBuyersQuery = (q: string) =>
  queryOptions({
    queryKey: ['buyers', 'known', q],
    enabled: q.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await shop.get('/admin/buyers', { params: { query: { q, per_page: SUGGESTED } }, signal })).items,
  })

/** Where the latest order of a buyer went. */
export async function addressOfBuyer(id: string): Promise<DraftValues['address'] | undefined> {
  const { addresses } = await shop.get('/admin/buyers/{id}', { params: { path: { id } } })
  return addresses[0] && { ...NEW_DRAFT.address, ...addresses[0] }
}
