import { Pool } from 'undici'
import { z } from 'zod'

const CartResponse = z.object({ id: z.string(), lines: z.array(z.object({ id: z.string() })) })
const OrderResponse = z.object({ id: z.string() })
const ProductResponse = z.object({ variants: z.array(z.object({ inventory: z.number() })) })
type CartResponse = z.output<typeof CartResponse>

/** A guest who has filled in the form. */
export const CHECKOUT = {
  email: 'bench@example.com',
  shipping_address: {
    name: 'Bench',
    line1: 'Main Street 1',
    city: 'Boston',
    region: 'MA',
    postalCode: '02101',
    country: 'US',
  },
  shipping_method: 'standard',
}

/** Calls the shop as the storefront does, over a few kept connections. */
export class Shopper {
  readonly #pool: Pool

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 })
  }

  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.#exchange(method, path, body)
    if (status !== 200) throw new Error(`${method} ${path} responded with ${status}: ${text}`)
    return JSON.parse(text)
  }

  async #exchange(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const response = await this.#pool.request({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: response.statusCode, text: await response.body.text() }
  }

  async createCart(): Promise<CartResponse> {
    return CartResponse.parse(await this.call('POST', '/carts', {}))
  }

  async addLine(cartId: string, variantId: string): Promise<CartResponse> {
    return CartResponse.parse(await this.call('POST', `/carts/${cartId}/lines`, { variant_id: variantId, quantity: 1 }))
  }

  /** @returns the id of the order */
  async checkOut(cartId: string): Promise<string> {
    return OrderResponse.parse(await this.call('POST', `/carts/${cartId}/checkout`, CHECKOUT)).id
  }

  /** The same for callers that expect a rejection. */
  async tryToCheckOut(cartId: string): Promise<{ status: number; body: unknown }> {
    const { status, text } = await this.#exchange('POST', `/carts/${cartId}/checkout`, CHECKOUT)
    return { status, body: JSON.parse(text) }
  }

  /** Units that the product page shows for the first variant. */
  async inventory(slug: string): Promise<number> {
    return ProductResponse.parse(await this.call('GET', `/products/${slug}`)).variants[0]?.inventory ?? -1
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
