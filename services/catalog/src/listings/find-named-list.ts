import { findNamed } from '../products/read-products.queries.ts'
import type { FoundList } from './find-list.ts'
import type { LiveIndex } from './live-index.ts'

/**
 * Published products by their slugs or former slugs, each once and in the given order; those that do not exist are left
 * out. The facets are those of the whole shop.
 */
export async function findNamedList(
  lists: LiveIndex,
  slugs: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<FoundList> {
  return lists.readOptimistically(async (moment) => {
    const named = await findNamed(moment.db, { slugs })
    const ids = [...new Set(named.flatMap(({ id, bytes }) => (bytes === null ? [] : [id])))]
    const { version, items } = await moment.items.find(moment.db, ids.slice(offset, offset + limit))
    const { facets } = moment.index().scopes.of({})
    return { version, result: { items, next: undefined, total: ids.length, facets } }
  })
}
