import { actorIdOf } from '@storefront/audit'
import { publishAll } from '@storefront/messaging'
import { DiscountsImported, MAX_IMPORTED_DISCOUNTS, type DiscountInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { findLastNumber, saveLastNumber } from './discounts.queries.ts'
import { changesIn, type Applying } from './import-effects.ts'
import { digestOf } from './request-discounts.ts'
import { rowsInChunks } from './staging.queries.ts'

/** The size of a part, far below the limit of NATS, 1 MiB. */
const PART_BYTES = 256_000

/**
 * Publishes the discounts of an import to cart, in the transaction of the import, and counts the changes. Nothing is
 * published without changes, unless an import that cart has not consumed yet may have changed them.
 */
export async function applyDiscounts(tx: Tx, { job, now, discounts: known, effects }: Applying): Promise<void> {
  if (!known) return
  const counts = effects.counts.discounts
  const parts: DiscountInput[][] = []
  let bytes = 0
  for await (const rows of rowsInChunks<DiscountInput>(tx, job, 'discount', MAX_IMPORTED_DISCOUNTS)) {
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
  if (job.dryRun) return
  const last = await findLastNumber(tx)
  if (changesIn(counts) === 0 && known.imported >= last) return
  // After a restore of the database, cart may already know the next number.
  const number = Math.max(last, known.imported) + 1
  await saveLastNumber(tx, number)
  effects.discountsNumber = number
  // An import without discounts also has a part, because cart applies an import when all parts have arrived.
  const published = parts.length === 0 ? [[]] : parts
  const common = { importId: job.id, number, mode: job.mode, parts: published.length, actor: actorIdOf(job.actor) }
  await publishAll(
    tx,
    DiscountsImported,
    published.map((discounts, index) => ({ ...common, part: index + 1, discounts })),
    now,
  )
}
