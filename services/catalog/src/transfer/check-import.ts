import { parentsFirst } from '../categories/category-tree.ts'
import { findCategories } from '../categories/categories.queries.ts'
import type { Tx } from '../database.ts'
import type { Issue } from '../errors.ts'
import { faultsOf } from '../products/product.ts'
import type { CategoryInput, ImportMode, ProductInput } from '@storefront/contracts'
import {
  findClashes,
  findGivenSlugs,
  findMadeSlugs,
  findRowFaults,
  saveMadeSlugs,
  type MadeSlug,
} from './check.queries.ts'
import { addIssues, type IssueList } from './issue-list.ts'
import { allRows, findFaultyKeys, rowsInChunks, type StagedRow } from './staging.queries.ts'
import { addVariantFaults } from './variant-faults.ts'

const CHUNK = 500

/**
 * Finds every error of the staged rows that their schemas cannot detect, so that a merchant can fix all of them in one
 * go. The rows refer to their stored records.
 * @param currency of the shop after the import
 */
export async function checkImport(
  tx: Tx,
  job: { id: string; mode: ImportMode },
  { currency, issues }: { currency: string; issues: IssueList },
  checked: (rows: number) => Promise<void>,
): Promise<void> {
  await findRowFaults(tx, job.id, job.mode, issues)
  addIssues(
    issues,
    (await cycleOf(tx, job)).map((slug) => ({ path: 'categories', message: `${slug} would be its own ancestor` })),
  )
  let count = 0
  for await (const rows of rowsInChunks<ProductInput>(tx, job.id, 'product', CHUNK)) {
    addIssues(
      issues,
      rows.flatMap((row) => faultsOf(row.data, currency, row.path).map((issue) => namedInFile(issue, row))),
    )
    await addVariantFaults(tx, rows, job.mode, issues)
    count += rows.length
    await checked(count)
  }
  await findClashes(tx, job.id, job.mode, issues)
}

/** An error under the name that its field has in the file. */
function namedInFile(issue: Issue, { path, cells }: Pick<StagedRow<unknown>, 'path' | 'cells'>): Issue {
  return { ...issue, path: cells?.[issue.path.slice(path.length + 1)] ?? issue.path }
}

/** Categories that would be their own ancestors, including those of the shop that the import leaves alone. */
async function cycleOf(tx: Tx, { id, mode }: { id: string; mode: ImportMode }): Promise<string[]> {
  const given = (await allRows<CategoryInput>(tx, id, 'category')).map((row) => row.data)
  // The parent of an invalid category is unknown: it may differ from the stored one, because the import may move it.
  const faulty = await findFaultyKeys(tx, id, 'category')
  const stored = mode === 'merge' ? (await findCategories(tx)).filter(({ slug }) => !faulty.has(slug)) : []
  const all = new Map([...stored, ...given].map(({ slug, parent }) => [slug, { slug, parent, name: slug, blurb: '' }]))
  return parentsFirst([...all.values()]).cycle ?? []
}

/** Distinguishes products with equal titles whose slugs were made from them: `shirt`, `shirt-2`, `shirt-3`. */
export async function numberMadeSlugs(tx: Tx, jobId: string): Promise<void> {
  const made = await findMadeSlugs(tx, jobId)
  const taken = new Set<string>()
  const next = new Map<string, number>()
  let open = made.map(({ place, key }): MadeSlug & { base: string } => ({ place, key, base: key }))
  const renamed = new Map<number, string>()
  while (open.length > 0) {
    const given = await findGivenSlugs(
      tx,
      jobId,
      open.map((each) => each.key),
    )
    const clashing = open.filter(({ place, key, base }) => {
      if (given.has(key) || taken.has(key)) return true
      taken.add(key)
      if (key !== base) renamed.set(place, key)
      return false
    })
    open = clashing.map(({ place, base }) => {
      let number = next.get(base) ?? 2
      while (taken.has(`${base}-${number}`)) number++
      next.set(base, number + 1)
      return { place, base, key: `${base}-${number}` }
    })
  }
  const all = [...renamed].map(([place, key]) => ({ place, key }))
  for (let start = 0; start < all.length; start += CHUNK)
    await saveMadeSlugs(tx, jobId, all.slice(start, start + CHUNK))
}
