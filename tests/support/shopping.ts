import { setTimeout } from 'node:timers/promises'
import { Cart, Order } from '@storefront/contracts'
import { TestClient, type TestResponse } from './test-client.ts'

export interface ShoppingOptions {
  url: string
  variantId: string
  slug: string
  shoppers: number
  /**
   * The pause between two requests of a shopper: without one, shoppers use up the processors that restarts need. An
   * admin pauses four times as long, because to save settings is more work than to shop.
   */
  pauseMs: number
  linesAbout: (requestId: string) => Promise<string[]>
  /** A signed-in admin who saves settings again and again. */
  admin?: TestClient
}

/**
 * Shoppers who browse, fill and change carts, buy, register and sign in, one request after the other, without retries.
 * They start at once. Carts are checked: what was added once is there once.
 */
export class Shopping {
  /** The failed requests with their responses, and after the end the lines that the services logged about them. */
  readonly failures: string[] = []
  /** Every order that a shopper received. */
  readonly orders: Order[] = []
  /** The number of successful responses so far. */
  responded = 0
  #isStopped = false
  readonly #options: ShoppingOptions
  readonly #all: readonly Promise<void>[]

  constructor(options: ShoppingOptions) {
    this.#options = options
    const { shoppers, admin } = options
    this.#all = [
      ...Array.from({ length: shoppers }, (_none, number) => this.#shop(number)),
      ...(admin ? [this.#keepSaving(admin)] : []),
    ]
  }

  /** Lets all shoppers finish what they are doing. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#all)
    for (const [index, failure] of this.failures.entries()) {
      const requestId = /req_[0-9a-f]+/.exec(failure)?.[0]
      if (requestId === undefined) continue
      this.failures[index] = [failure, ...(await this.#options.linesAbout(requestId))].join('\n')
    }
  }

  async #shop(number: number): Promise<void> {
    const { url, slug } = this.#options
    const credentials = { email: `${slug}-${number}@example.com`, password: 'correct horse battery' }
    const names = { firstName: 'Ada', lastName: 'Lovelace' }
    await this.#expectOk('register', new TestClient(url).post('/auth/register', { ...credentials, ...names }))
    for (let round = 0; !this.#isStopped; round++) {
      const client = new TestClient(url)
      // Password hashing is slow on purpose, so shoppers sign in only in every fourth round.
      if (round % 4 === 3) await this.#expectOk('sign in', client.post('/auth/login', credentials))
      await this.#buy(client)
      await this.#expectOk('products', client.get(`/products?page=${round + 1}`))
    }
  }

  async #buy(client: TestClient): Promise<void> {
    const { slug, variantId } = this.#options
    await this.#expectOk('product', client.get(`/products/${slug}`))
    const begun = await this.#expectOk('new cart', client.post('/carts', {}))
    if (begun === undefined) return
    const { id } = Cart.parse(begun)
    const line = { variant_id: variantId, quantity: 1 }
    for (const quantity of [1, 2]) {
      const filled = await this.#expectOk('add line', client.post(`/carts/${id}/lines`, line))
      if (filled === undefined) return
      this.#check('add line', Cart.parse(filled), quantity)
    }
    const read = await this.#expectOk('cart', client.get(`/carts/${id}`))
    const lineId = read === undefined ? undefined : Cart.parse(read).lines[0]?.id
    const changed = await this.#expectOk(
      'quantity',
      client.call('PATCH', `/carts/${id}/lines/${lineId}`, { quantity: 1 }),
    )
    if (changed !== undefined) this.#check('quantity', Cart.parse(changed), 1)
    const bought = await this.#expectOk('checkout', client.checkOut(id))
    if (bought !== undefined) this.orders.push(Order.parse(bought))
  }

  async #keepSaving(saver: TestClient): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const settings = { store: { tagline: `Day ${round}` } }
      await this.#expectOk('save', saver.post('/admin/import', { mode: 'merge', settings }))
      await this.#expectOk('orders of the shop', saver.get('/admin/orders'))
      // With the pauses of its two requests these are four for each.
      await setTimeout(6 * this.#options.pauseMs)
    }
  }

  async #expectOk(what: string, request: Promise<TestResponse>): Promise<unknown> {
    const response = await request.catch((error: unknown) => ({ status: 0, body: String(error) }))
    if (response.status >= 200 && response.status < 300) this.responded++
    else this.failures.push(`${what}: ${response.status} ${JSON.stringify(response.body)}`)
    await setTimeout(this.#options.pauseMs)
    return response.status >= 200 && response.status < 300 ? response.body : undefined
  }

  #check(what: string, cart: Cart, quantity: number): void {
    const found = cart.lines.map((line) => line.quantity)
    if (found.length !== 1 || found[0] !== quantity) this.failures.push(`${what}: ${found.join(' and ')} in the cart`)
  }
}
