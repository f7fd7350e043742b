import { ProductSort, type RailSource } from '@storefront/contracts'
import type { ListRequest } from '../listings/find-list.ts'
import { NO_FILTERS } from '../listings/filters.ts'
import { filled } from '../settings/settings-in-force.ts'

const DEFAULT_LIMIT = 4
const MAX_LIMIT = 48

/** The key under which the client looks up a rail: its source, in this field order, with these defaults. */
export function railKey(source: RailSource): string {
  return JSON.stringify({
    sort: source.sort ?? 'featured',
    category: source.category ?? null,
    collection: source.collection ?? null,
    tags: source.tags ?? null,
    limit: source.limit ?? DEFAULT_LIMIT,
  })
}

/** The product list of a rail. An unknown sort becomes `featured`, so that a rail never fails. */
export function railRequest(source: RailSource): Omit<ListRequest, 'search'> {
  const sort = ProductSort.safeParse(source.sort ?? 'featured')
  const tags = typeof source.tags === 'string' ? source.tags.split(',') : (source.tags ?? [])
  return {
    filters: {
      ...NO_FILTERS,
      scope: { category: filled(source.category), collection: filled(source.collection) },
      tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
    },
    sort: sort.success ? sort.data : 'featured',
    limit: Math.min(source.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
    after: undefined,
    offset: 0,
  }
}
