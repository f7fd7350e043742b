import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { isOutage } from '@storefront/postgres'
import { DiscountInput, ListDiscounts, MAX_IMPORTED_DISCOUNTS } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { countDiscounts, findLastNumber } from './discounts.queries.ts'
import type { Job } from './jobs.queries.ts'

const LOOK_MS = 50
/** The longest time that the response to an import waits until cart has applied the discounts. */
const MAX_WAIT_MS = 3000

/** Every discount of the shop by its code. @throws DependencyUnavailable when cart does not reply */
export async function readDiscounts(messaging: Messaging): Promise<DiscountInput[]> {
  const all: DiscountInput[] = []
  for await (const { discounts } of pagesOfDiscounts(messaging)) all.push(...discounts)
  return all
}

/** Pages of the shop's discounts, each with the state of imports at that moment. */
async function* pagesOfDiscounts(
  messaging: Messaging,
): AsyncGenerator<{ discounts: DiscountInput[]; imported: number }> {
  let after: string | undefined
  do {
    const query = { limit: MAX_IMPORTED_DISCOUNTS, ...(after !== undefined && { after }) }
    const { discounts, next, imported } = await sendRequest(messaging, ListDiscounts, query)
    yield { discounts, imported }
    after = next
  } while (after !== undefined)
}

/** Waits until an import of discounts has taken effect, for three seconds at most, and only while cart replies. */
export async function waitForDiscounts(messaging: Messaging, number: number): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS
  while (performance.now() < untilMs) {
    try {
      const timeoutMs = Math.ceil(untilMs - performance.now())
      if ((await sendRequest(messaging, ListDiscounts, { limit: 0 }, { timeoutMs })).imported >= number) return
    } catch (error) {
      if (isOutage(error)) return
      throw error
    }
    await setTimeout(LOOK_MS)
  }
}

/** The data about the discounts in cart that an import needs. */
export interface KnownDiscounts {
  /** The content of each, by its code. */
  digests: ReadonlyMap<string, string>
  /** The number of the last import that took effect. */
  imported: number
}

/**
 * Requests the discounts to compare with from cart, after the previous import has taken effect. Not needed for an
 * import that does not change discounts: one without them, or a merging one with an empty list.
 * @throws DependencyUnavailable when cart does not reply
 */
export async function findKnownDiscounts(
  { db, messaging }: { db: Database; messaging: Messaging },
  job: Job,
): Promise<KnownDiscounts | undefined> {
  if (!job.hasDiscounts) return undefined
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

/** A digest of a discount, whose parsed fields are always in the order of the schema. */
export function digestOf(discount: DiscountInput): string {
  return createHash('sha256')
    .update(JSON.stringify(DiscountInput.parse(discount)))
    .digest('base64')
}
