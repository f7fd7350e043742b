import type { CategoryInput } from '@storefront/contracts'
import { findCategories } from '../categories/categories.queries.ts'
import { parentsFirst } from '../categories/category-tree.ts'
import type { Tx } from '../database.ts'
import { addIssues, type Checking } from './issue-list.ts'
import { allRows, findFaultyKeys } from './staging.queries.ts'

/** Finds categories that would be their own ancestors, including those of the shop that the import leaves alone. */
export async function checkCategories(tx: Tx, { job, issues }: Checking): Promise<void> {
  const given = await allRows<CategoryInput>(tx, job, 'category')
  // The parent of an invalid category is unknown: it may differ from the stored one, because the import may move it.
  const faulty = await findFaultyKeys(tx, job.id, 'category')
  const stored = job.mode === 'merge' ? (await findCategories(tx)).filter(({ slug }) => !faulty.has(slug)) : []
  const all = new Map([...stored, ...given].map(({ slug, parent }) => [slug, { slug, parent }]))
  const { cycle = [] } = parentsFirst([...all.values()])
  addIssues(
    issues,
    cycle.map((slug) => ({ path: 'categories', message: `${slug} would be its own ancestor` })),
  )
}
