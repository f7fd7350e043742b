import { Pool } from 'undici'
import { z } from 'zod'

const CartAnswer = z.object({ id: z.string(), lines: z.array(z.object({ id: z.string() })) })
export type CartAnswer = z.output<typeof CartAnswer>

const CHECKOUT = {
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
    const response = await this.#pool.request({
      method: method === 'GET' ? 'GET' : method === 'PATCH' ? 'PATCH' : method === 'DELETE' ? 'DELETE' : 'POST',
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`)
    return JSON.parse(text)
  }

  async createCart(): Promise<CartAnswer> {
    return CartAnswer.parse(await this.call('POST', '/carts', {}))
  }

  async addLine(cartId: string, variantId: string, quantity = 1): Promise<CartAnswer> {
    return CartAnswer.parse(await this.call('POST', `/carts/${cartId}/lines`, { variant_id: variantId, quantity }))
  }

  async checkOut(cartId: string): Promise<void> {
    await this.call('POST', `/carts/${cartId}/checkout`, CHECKOUT)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
