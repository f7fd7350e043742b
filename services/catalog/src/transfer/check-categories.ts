import { levelsOf, MAX_LEVELS } from '../categories/category-tree.ts'
import type { Tx } from '../database.ts'
import { addIssues, type Checking } from './issue-list.ts'
import { findFaultyKeys } from './staging.queries.ts'

/**
 * Finds categories that would be their own ancestors or too deep in the tree, including stored ones that the import
 * does not contain.
 */
export async function checkCategories(tx: Tx, { job, issues, taxonomy }: Checking): Promise<void> {
  const stored = [...taxonomy.categories.stored.values()]
  // The parent of an invalid category is unknown, because the import may move it.
  const faulty = issues.total > 0 ? await findFaultyKeys(tx, job.id, 'category') : new Set<string>()
  const kept = job.mode === 'merge' ? stored.filter(({ slug }) => !faulty.has(slug)) : []
  const all = new Map(kept.map(({ slug, parent }) => [slug, { slug, parent, path: 'categories' }]))
  for (const { path, data } of taxonomy.categories.rows) {
    all.set(data.slug, { slug: data.slug, parent: data.parent, path: `${path}.parent` })
  }
  const levels = levelsOf([...all.values()])
  const inCycle = [...all.keys()].filter((slug) => !levels.has(slug))
  const cycleFaults = inCycle.map((slug) => ({ path: 'categories', message: `${slug} would be its own ancestor` }))
  addIssues(issues, cycleFaults)
  // Imports of an older version could make deeper trees, which may stay.
  const levelsBefore = levelsOf(stored)
  const isTooDeep = (slug: string) => (levels.get(slug) ?? 0) > Math.max(MAX_LEVELS, levelsBefore.get(slug) ?? 0)
  addIssues(
    issues,
    [...all.values()]
      .filter(({ slug }) => isTooDeep(slug))
      .map(({ path, slug }) => ({ path, message: `${slug} would be deeper in the tree than ${MAX_LEVELS} levels` })),
  )
}
