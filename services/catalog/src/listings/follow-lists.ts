import { every, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'

/** Keeps the index of a replica without requests up to date, too. */
export function followLists({ lists, log, pollMs }: CatalogContext): Timer {
  return every(pollMs, 'update the lists', log, () => lists.follow())
}
