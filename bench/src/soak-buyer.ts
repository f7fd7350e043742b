import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { CHECKOUT } from './shopper.ts'

export type Purchase =
  /** With the time from the first checkout request to its response. */
  | { kind: 'order'; orderId: string; tries: number; checkoutMs: number }
  | { kind: 'sold out'; tries: number }
  /** No final response within the buyer's timeout. */
  | { kind: 'failed'; tries: number; last: string }

const TIMEOUT_MS = 90_000
const PAUSE_MS = 250
const Id = z.object({ id: z.string() })
const Problem = z.object({ code: z.string() })

/** Buys one unit and retries every request without a response. */
export async function buy(shop: Dispatcher, variantId: string): Promise<Purchase> {
  const end = performance.now() + TIMEOUT_MS
  let tries = 0
  let last = ''

  async function retryUntilAvailable(
    path: string,
    body: unknown,
  ): Promise<{ status: number; text: string } | undefined> {
    // The same for every try: an order is placed once, however often the request is repeated.
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    while (performance.now() < end) {
      tries++
      const response = await shop
        .request({ method: 'POST', path, headers, body: JSON.stringify(body) })
        .then(async ({ statusCode, body: given }) => ({ status: statusCode, text: await given.text() }))
        .catch((error: unknown) => ({ status: 0, text: String(error) }))
      if (response.status > 0 && response.status < 500) return response
      last = `${path.split('/').at(-1)} ${response.status} ${response.text}`
      await setTimeout(PAUSE_MS)
    }
    return undefined
  }

  const made = await retryUntilAvailable('/carts', {})
  if (!made) return { kind: 'failed', tries, last }
  const cart = `/carts/${Id.parse(JSON.parse(made.text)).id}`
  for (const [path, body] of [
    [`${cart}/lines`, { variant_id: variantId, quantity: 1 }],
    [`${cart}/checkout`, CHECKOUT],
  ] as const) {
    const began = performance.now()
    const response = await retryUntilAvailable(path, body)
    if (!response) return { kind: 'failed', tries, last }
    if (response.status === 200) {
      if (!path.endsWith('/checkout')) continue
      const checkoutMs = performance.now() - began
      return { kind: 'order', orderId: Id.parse(JSON.parse(response.text)).id, tries, checkoutMs }
    }
    if (Problem.safeParse(JSON.parse(response.text)).data?.code === 'out_of_stock') return { kind: 'sold out', tries }
    return { kind: 'failed', tries, last: `${path.split('/').at(-1)} ${response.status} ${response.text}` }
  }
  return { kind: 'failed', tries, last }
}
