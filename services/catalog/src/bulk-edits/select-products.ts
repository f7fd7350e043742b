import type { BulkEditChange, BulkEditSelection } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { bodyRejected } from '../errors.ts'
import { listFiltersOf } from '../products/admin-list-filters.ts'
import { findAdminList, holdCategories } from '../products/admin-products.queries.ts'

/** The ids of the selected products, each once: the given ones, or those of the merchant's list, the newest first. */
export async function findSelected(db: Database | Tx, selection: BulkEditSelection): Promise<string[]> {
  if ('ids' in selection) return [...new Set(selection.ids)]
  const whole = { sort: 'newest' as const, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  return (await findAdminList(db, listFiltersOf(selection.filter), whole)).ids
}

/** Rejects a change that names a category that does not exist. */
export async function assertPossible(tx: Tx, change: BulkEditChange): Promise<void> {
  if (change.kind !== 'categories') return
  const { add, remove } = change
  const known = new Set(await holdCategories(tx, [...add, ...remove]))
  const issues = Object.entries({ add, remove }).flatMap(([name, slugs]) =>
    slugs.flatMap((slug, index) =>
      known.has(slug) ? [] : [{ path: `change.${name}.${index}`, message: `there is no category ${slug}` }],
    ),
  )
  if (issues.length > 0) throw bodyRejected(issues)
}
