import { MAX_IMPORTED_DISCOUNTS, type DiscountInput, type ImportMode } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { digestOf, type KnownDiscounts } from '../transfer/request-discounts.ts'
import { addIssues, type IssueList } from '../transfer/issue-list.ts'
import { rowsInChunks } from '../transfer/staging.queries.ts'
import { findUnknownNamesOfImport } from './restrictions.queries.ts'

/**
 * Finds discounts of an import for products or categories that the shop will not have after the import. An unchanged
 * discount may name a deleted product, so that an export can always be imported into the same shop.
 * @param known the discounts in cart; undefined if they were not read: then every discount counts as changed
 */
export async function checkImportedDiscounts(
  tx: Tx,
  job: { id: string; mode: ImportMode },
  known: KnownDiscounts | undefined,
  issues: IssueList,
): Promise<void> {
  const unchanged = known && known.digests.size > 0 ? await findUnchanged(tx, job.id, known) : []
  const { faults, total } = await findUnknownNamesOfImport(tx, job, unchanged)
  addIssues(issues, faults, total)
}

async function findUnchanged(tx: Tx, jobId: string, { digests }: KnownDiscounts): Promise<string[]> {
  const unchanged: string[] = []
  for await (const rows of rowsInChunks<DiscountInput>(tx, { id: jobId }, 'discount', MAX_IMPORTED_DISCOUNTS)) {
    for (const { data } of rows) if (digests.get(data.code) === digestOf(data)) unchanged.push(data.code)
  }
  return unchanged
}
