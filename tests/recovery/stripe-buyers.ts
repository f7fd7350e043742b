import { z } from 'zod'
import { Order } from '@storefront/contracts'
import { sendWebhooks, waitFor, type FakeStripe } from '@storefront/tools/testing'
import type { TestShop } from '../support/shop.ts'
import { retryUntilAvailable } from '../support/buyers.ts'
import type { TestClient } from '../support/test-client.ts'

const Page = z.object({ url: z.string(), id: z.string() })
const Standing = z.object({ orderId: z.string().optional() })

/** Other work may keep the machine busy. */
const LONGEST_WAIT_MS = 120_000

export interface OpenedPage {
  client: TestClient
  /** The id of the checkout. */
  id: string
  /** Its id at Stripe. */
  atStripe: string
}

export interface Bought {
  order: Order
  /** When the buyer had seen the order as paid. */
  at: Date
}

interface StripeBuyerOptions {
  shop: TestShop
  stripe: FakeStripe
  variantId: string
  atOnce: number
}

/** Guests who buy one unit after the other and pay at Stripe, until they are stopped. */
export class StripeBuyers {
  /** In the order in which the buyers saw their orders. */
  readonly bought: Bought[] = []
  readonly #options: StripeBuyerOptions
  readonly #all: Promise<void>[]
  #isStopped = false
  #failure: { error: unknown } | undefined

  constructor(options: StripeBuyerOptions) {
    this.#options = options
    this.#all = Array.from({ length: options.atOnce }, () => this.#buyUntilStopped())
  }

  /** Waits until the buyers have bought this many more. @throws what a buyer failed with */
  async buy(count: number): Promise<void> {
    const end = this.bought.length + count
    await waitFor('orders', () => this.#failure !== undefined || this.bought.length >= end, 10 * LONGEST_WAIT_MS)
    if (this.#failure) throw this.#failure.error
  }

  /** Lets all buyers finish what they are doing. @throws what a buyer failed with */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#all)
    if (this.#failure) throw this.#failure.error
  }

  /** Checks a new cart out, and stops at the page of Stripe. */
  async openPage(): Promise<OpenedPage> {
    const { shop, variantId } = this.#options
    const client = shop.client()
    const cart = await client.cartWith(variantId)
    const { response } = await retryUntilAvailable(() => client.checkOut(cart.id))
    const { id, url } = Page.parse(response.body)
    return { client, id, atStripe: url.split('/').at(-1) ?? '' }
  }

  /** Pays on the page, and has Stripe report it to the shop. */
  async pay({ client, id, atStripe }: OpenedPage): Promise<void> {
    const { shop, stripe } = this.#options
    stripe.pay(atStripe)
    const completed = stripe.webhook('checkout.session.completed', stripe.sessions.get(atStripe))
    const [status] = await sendWebhooks(`${shop.shop.url}/webhooks/stripe`, [completed])
    if (status !== 200) throw new Error(`the webhook got ${status}`)
    const order = await waitFor(
      'the order',
      async () => {
        const { orderId } = Standing.parse((await client.get(`/checkout/sessions/${id}`)).body)
        if (orderId === undefined) return undefined
        const found = Order.safeParse((await client.get(`/orders/${orderId}`)).body).data
        return found?.status === 'paid' ? found : undefined
      },
      LONGEST_WAIT_MS,
    )
    this.bought.push({ order, at: new Date() })
  }

  async #buyUntilStopped(): Promise<void> {
    try {
      while (!this.#isStopped) await this.pay(await this.openPage())
    } catch (error) {
      this.#isStopped = true
      this.#failure ??= { error }
    }
  }
}
