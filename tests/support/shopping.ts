import { setTimeout } from 'node:timers/promises'
import { Cart, Order } from '@storefront/contracts'
import { TestClient, type TestResponse } from './test-client.ts'

export interface Shopping {
  /** The failed requests with their responses, and after the end the lines that the services logged about them. */
  failures: string[]
  /** Every order that a shopper received. */
  orders: Order[]
  /** The number of successful responses so far. */
  answered: () => number
  /** Lets all shoppers finish what they are doing. */
  stop: () => Promise<void>
}

export interface ShoppingOptions {
  url: string
  variantId: string
  slug: string
  shoppers: number
  /** The pause between two requests of a shopper: without one, shoppers use up the processors that restarts need. */
  pauseMs: number
  linesAbout: (requestId: string) => Promise<string[]>
  /** A signed-in admin who saves settings again and again. */
  admin?: TestClient
}

/**
 * Shoppers who browse, fill and change carts, buy, register and sign in, one request after the other, without retries.
 * Carts are checked: what was added once is there once.
 */
export function goShopping({ url, variantId, slug, shoppers, pauseMs, linesAbout, admin }: ShoppingOptions): Shopping {
  const failures: string[] = []
  const orders: Order[] = []
  let responded = 0
  let stopped = false

  async function expectOk(what: string, request: Promise<TestResponse>): Promise<unknown> {
    const response = await request.catch((error: unknown) => ({ status: 0, body: String(error) }))
    if (response.status >= 200 && response.status < 300) responded++
    else failures.push(`${what}: ${response.status} ${JSON.stringify(response.body)}`)
    await setTimeout(pauseMs)
    return response.status >= 200 && response.status < 300 ? response.body : undefined
  }

  function check(what: string, cart: Cart, quantity: number): void {
    const found = cart.lines.map((line) => line.quantity)
    if (found.length !== 1 || found[0] !== quantity) failures.push(`${what}: ${found.join(' and ')} in the cart`)
  }

  async function buy(client: TestClient): Promise<void> {
    await expectOk('product', client.get(`/products/${slug}`))
    const begun = await expectOk('new cart', client.post('/carts', {}))
    if (begun === undefined) return
    const { id } = Cart.parse(begun)
    const line = { variant_id: variantId, quantity: 1 }
    for (const quantity of [1, 2]) {
      const filled = await expectOk('add line', client.post(`/carts/${id}/lines`, line))
      if (filled === undefined) return
      check('add line', Cart.parse(filled), quantity)
    }
    const read = await expectOk('cart', client.get(`/carts/${id}`))
    const lineId = read === undefined ? undefined : Cart.parse(read).lines[0]?.id
    const changed = await expectOk('quantity', client.call('PATCH', `/carts/${id}/lines/${lineId}`, { quantity: 1 }))
    if (changed !== undefined) check('quantity', Cart.parse(changed), 1)
    const bought = await expectOk('checkout', client.checkOut(id))
    if (bought !== undefined) orders.push(Order.parse(bought))
  }

  async function shop(number: number): Promise<void> {
    const credentials = { email: `${slug}-${number}@example.com`, password: 'correct horse battery' }
    const names = { firstName: 'Ada', lastName: 'Lovelace' }
    await expectOk('register', new TestClient(url).post('/auth/register', { ...credentials, ...names }))
    for (let round = 0; !stopped; round++) {
      const client = new TestClient(url)
      // Password hashing is slow on purpose, so shoppers sign in only in every fourth round.
      if (round % 4 === 3) await expectOk('sign in', client.post('/auth/login', credentials))
      await buy(client)
      await expectOk('products', client.get(`/products?page=${round + 1}`))
    }
  }

  async function keepSaving(saver: TestClient): Promise<void> {
    for (let round = 0; !stopped; round++) {
      const settings = { store: { tagline: `Day ${round}` } }
      await expectOk('save', saver.post('/admin/import', { mode: 'merge', settings }))
      await expectOk('orders of the shop', saver.get('/admin/orders'))
    }
  }

  const all = [
    ...Array.from({ length: shoppers }, (_none, number) => shop(number)),
    ...(admin ? [keepSaving(admin)] : []),
  ]
  return {
    failures,
    orders,
    answered: () => responded,
    async stop() {
      stopped = true
      await Promise.all(all)
      for (const [index, failure] of failures.entries()) {
        const requestId = /req_[0-9a-f]+/.exec(failure)?.[0]
        if (requestId !== undefined) failures[index] = [failure, ...(await linesAbout(requestId))].join('\n')
      }
    },
  }
}
