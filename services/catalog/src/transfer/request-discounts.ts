import { setTimeout } from 'node:timers/promises'
import { sendRequest, type Messaging } from '@storefront/messaging'
import { isOutage } from '@storefront/postgres'
import { ListDiscounts, MAX_IMPORTED_DISCOUNTS, type DiscountInput } from '@storefront/contracts'

const LOOK_MS = 50
/** An import replies after cart has its discounts. When that takes longer it replies anyway: they are on their way. */
const MAX_WAIT_MS = 3000

/** Every discount of the shop by its code. @throws DependencyUnavailable when cart does not reply */
export async function readDiscounts(messaging: Messaging): Promise<DiscountInput[]> {
  const all: DiscountInput[] = []
  for await (const { discounts } of pagesOfDiscounts(messaging)) all.push(...discounts)
  return all
}

/** The discounts of the shop a page at a time, each with the state of imports at that moment. */
export async function* pagesOfDiscounts(
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

/** Waits until an import of discounts has taken effect, or for three seconds, or until cart does not reply. */
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
