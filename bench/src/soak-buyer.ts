import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { CHECKOUT } from './shopper.ts'

export type Purchase =
  | { kind: 'order'; orderId: string; tries: number }
  | { kind: 'sold out'; tries: number }
  /** No final response within the buyer's timeout. */
  | { kind: 'failed'; tries: number; last: string }

const PATIENCE_MS = 90_000
const PAUSE_MS = 250
const Id = z.object({ id: z.string() })
const Problem = z.object({ code: z.string() })

/** Buys one unit and retries every request without a response. */
export async function buy(shop: Dispatcher, variantId: string): Promise<Purchase> {
  const end = performance.now() + PATIENCE_MS
  let tries = 0
  let last = ''

  async function insist(path: string, body: unknown): Promise<{ status: number; text: string } | undefined> {
    // The same for every try: an order is placed once, however often the request is repeated.
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    while (performance.now() < end) {
      tries++
      const answer = await shop
        .request({ method: 'POST', path, headers, body: JSON.stringify(body) })
        .then(async ({ statusCode, body: said }) => ({ status: statusCode, text: await said.text() }))
        .catch((error: unknown) => ({ status: 0, text: String(error) }))
      if (answer.status > 0 && answer.status < 500) return answer
      last = `${path.split('/').at(-1)} ${answer.status} ${answer.text}`
      await setTimeout(PAUSE_MS)
    }
    return undefined
  }

  const made = await insist('/carts', {})
  if (!made) return { kind: 'failed', tries, last }
  const cart = `/carts/${Id.parse(JSON.parse(made.text)).id}`
  for (const [path, body] of [
    [`${cart}/lines`, { variant_id: variantId, quantity: 1 }],
    [`${cart}/checkout`, CHECKOUT],
  ] as const) {
    const answer = await insist(path, body)
    if (!answer) return { kind: 'failed', tries, last }
    if (answer.status === 200) {
      if (path.endsWith('/checkout')) return { kind: 'order', orderId: Id.parse(JSON.parse(answer.text)).id, tries }
    } else if (Problem.safeParse(JSON.parse(answer.text)).data?.code === 'out_of_stock')
      return { kind: 'sold out', tries }
    else return { kind: 'failed', tries, last: `${path.split('/').at(-1)} ${answer.status} ${answer.text}` }
  }
  return { kind: 'failed', tries, last }
}
