import { createHash } from 'node:crypto'
import { actorIdOf } from '@storefront/audit'
import { publishAll, type Messaging } from '@storefront/messaging'
import {
  DiscountInput,
  DiscountsImported,
  MAX_IMPORTED_DISCOUNTS,
  type Actor,
  type ImportCounts,
  type ImportMode,
} from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { pagesOfDiscounts, waitForDiscounts } from './request-discounts.ts'
import { countDiscounts, findLastNumber, saveLastNumber } from './discounts.queries.ts'
import type { Job } from './jobs.queries.ts'
import { rowsInChunks } from './staging.queries.ts'

/** For one part, far below the 1 MiB that NATS carries. */
const PART_BYTES = 256_000

/** The discounts in cart, as far as an import must know them. */
export interface KnownDiscounts {
  /** The content of each, by its code. */
  digests: ReadonlyMap<string, string>
  /** The number of the last import that took effect. */
  imported: number
}

/**
 * Requests the discounts to compare with from cart, after the import before this one has taken effect. Not needed for
 * an import that leaves discounts alone: one without discounts, or that adds none.
 * @throws DependencyUnavailable when cart does not reply
 */
export async function findKnownDiscounts(
  { db, messaging }: { db: Database; messaging: Messaging },
  job: Job,
): Promise<KnownDiscounts | undefined> {
  if (!job.namesDiscounts) return undefined
  if (job.mode === 'merge' && (await countDiscounts(db, job.id)) === 0) return undefined
  await waitForDiscounts(messaging, await findLastNumber(db))
  const digests = new Map<string, string>()
  let imported = Infinity
  for await (const page of pagesOfDiscounts(messaging)) {
    imported = Math.min(imported, page.imported)
    for (const discount of page.discounts) digests.set(discount.code, digestOf(discount))
  }
  return { digests, imported }
}

/** The fields of a discount are in the order of the schema, wherever it comes from. */
export function digestOf(discount: DiscountInput): string {
  return createHash('sha256')
    .update(JSON.stringify(DiscountInput.parse(discount)))
    .digest('base64')
}

/**
 * Publishes the discounts of an import to cart, in the import's own transaction, and counts the changes. Without
 * changes nothing is published, unless an import that cart has not consumed yet may have changed them meanwhile.
 * @returns the number under which they are published, if they are
 */
export async function importDiscounts(
  tx: Tx,
  job: { id: string; mode: ImportMode; dryRun: boolean; actor?: Actor },
  known: KnownDiscounts | undefined,
  now: Date,
): Promise<{ counts: ImportCounts; number?: number }> {
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
  if (!known) return { counts }
  const parts: DiscountInput[][] = []
  let bytes = Infinity
  for await (const rows of rowsInChunks<DiscountInput>(tx, job.id, 'discount', MAX_IMPORTED_DISCOUNTS)) {
    for (const { data } of rows) {
      const before = known.digests.get(data.code)
      if (before === undefined) counts.created++
      else counts[before === digestOf(data) ? 'unchanged' : 'updated']++
      const part = parts.at(-1)
      const size = Buffer.byteLength(JSON.stringify(data))
      bytes += size
      if (part && bytes <= PART_BYTES && part.length < MAX_IMPORTED_DISCOUNTS) part.push(data)
      else {
        parts.push([data])
        bytes = size
      }
    }
  }
  if (job.mode === 'replace') counts.deleted = known.digests.size - counts.updated - counts.unchanged
  if (job.dryRun) return { counts }
  const last = await findLastNumber(tx)
  const isSame = counts.created + counts.updated + counts.deleted === 0
  if (isSame && known.imported >= last) return { counts }
  // After a restore of the database the number may be one that cart knows already.
  const number = Math.max(last, known.imported) + 1
  await saveLastNumber(tx, number)
  const combinations = parts.length === 0 ? [[]] : parts
  await publishAll(
    tx,
    DiscountsImported,
    combinations.map((discounts, index) => ({
      importId: job.id,
      number,
      mode: job.mode,
      part: index + 1,
      parts: combinations.length,
      ...(job.actor && { actor: actorIdOf(job.actor) }),
      discounts,
    })),
    now,
  )
  return { counts, number }
}
