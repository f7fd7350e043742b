import { setTimeout } from 'node:timers/promises'
import { Order } from '@storefront/contracts'
import { amount } from '@storefront/tools/testing'
import type { TestShop } from './shop.ts'
import type { TestResponse, TestClient } from './test-client.ts'

export interface Buyer {
  client: TestClient
  cartId: string
}

export type Outcome = { kind: 'order'; order: Order; tries: number } | { kind: 'rejected'; code: string; tries: number }

/** The pauses before a request is sent again: short at first, for short faults, and then longer. */
export const RETRY_PAUSES_MS = amount({ quick: [100, 200, 400, 800], long: [200] })

/** Creates guests with a cart each. */
export async function makeBuyers(shop: TestShop, variantId: string, count: number, atOnce = 16): Promise<Buyer[]> {
  return mapConcurrently(
    Array.from({ length: count }, () => shop.client()),
    atOnce,
    async (client) => ({ client, cartId: (await client.cartWith(variantId)).id }),
  )
}

/** Runs the work for every item in their order, this many at a time. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results[index] = await work(item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/**
 * Sends a request again while the shop is unavailable: after a 503, and after a broken connection.
 * @throws Error after any other server error, because without a dependency only 503 is right, and when the time is up
 */
export async function retryUntilAvailable(
  send: () => Promise<TestResponse>,
  forMs = 60_000,
): Promise<{ response: TestResponse; tries: number }> {
  const end = performance.now() + forMs
  for (let tries = 1; ; tries++) {
    const reply = await send().catch(() => undefined)
    if (reply && reply.status < 500) return { response: reply, tries }
    const shown = `${reply?.status} ${JSON.stringify(reply?.body)}`
    if (reply && reply.status !== 503) throw new Error(`the shop failed in place of being unavailable: ${shown}`)
    if (performance.now() > end) throw new Error(`the shop was unavailable for ${forMs} ms: ${shown}`)
    await setTimeout(RETRY_PAUSES_MS[tries - 1] ?? RETRY_PAUSES_MS.at(-1))
  }
}

/** Checks a cart out, with as many retries as it takes. */
export async function buyWithRetries({ client, cartId }: Buyer): Promise<Outcome> {
  const { response, tries } = await retryUntilAvailable(() => client.checkOut(cartId))
  if (response.status === 200) return { kind: 'order', order: Order.parse(response.body), tries }
  const { code } = Object(response.body)
  return { kind: 'rejected', code: String(code), tries }
}
