import { request, type Dispatcher } from 'undici'
import { z } from 'zod'
import { Cart, listOf, Order, ProductList, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'

export const ORIGIN = 'http://localhost:5173'

export const ADDRESS = {
  name: 'Ada Lovelace',
  line1: '12 St James Square',
  line2: '',
  city: 'London',
  region: '',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
  phone: '',
}

export interface TestResponse {
  status: number
  headers: Headers
  /** The parsed body; undefined for 204. */
  body: unknown
}

const Credentials = z.object({ token: z.string() })

const REQUEST_TIMEOUT_MS = 20_000

/** A browser as the real client uses it: it keeps cookies and a token, sends its origin and JSON. */
export class TestClient {
  readonly #url: string
  readonly #timeoutMs: number
  readonly #cookies = new Map<string, string>()
  token: string | undefined

  /** @param options.timeoutMs after which a request without a complete response fails */
  constructor(url: string, { timeoutMs = REQUEST_TIMEOUT_MS } = {}) {
    this.#url = url
    this.#timeoutMs = timeoutMs
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const { text, ...response } = await this.exchange(method, path, sent, headers)
    return { ...response, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** For responses that are not JSON. */
  async exchange(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    // Not fetch(), which takes a quarter of the CPU time of a test, and has replies compressed.
    const response = await request(`${this.#url}${path}`, {
      method,
      headers: {
        origin: ORIGIN,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(cookies === '' ? {} : { cookie: cookies }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(this.#timeoutMs),
    })
    const received = headersOf(response.headers)
    for (const line of received.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      this.#cookies.set(name, value.join('='))
    }
    return { status: response.statusCode, headers: received, text: await response.body.text() }
  }

  async get(path: string): Promise<TestResponse> {
    return this.call('GET', path)
  }

  async post(path: string, body?: unknown): Promise<TestResponse> {
    return this.call('POST', path, body)
  }

  async products(query = ''): Promise<Product[]> {
    return ProductList.parse((await this.get(`/products${query}`)).body).items
  }

  /** The orders in the account of the client. */
  async orders() {
    return listOf(Order).parse((await this.get('/orders')).body)
  }

  /** The units that the product page shows for the first variant. */
  async inventory(slug: string): Promise<number> {
    const { body } = await this.get(`/products/${slug}`)
    return z.object({ variants: z.array(z.object({ inventory: z.number() })) }).parse(body).variants[0]?.inventory ?? -1
  }

  async cartWith(variantId: string, quantity = 1): Promise<Cart> {
    const made = await this.post('/carts', {})
    if (made.status >= 300) throw new Error(`the cart was rejected: ${JSON.stringify(made.body)}`)
    const cart = Cart.parse(made.body)
    const filled = await this.post(`/carts/${cart.id}/lines`, { variant_id: variantId, quantity })
    if (filled.status !== 200) throw new Error(`the line was rejected: ${JSON.stringify(filled.body)}`)
    return Cart.parse(filled.body)
  }

  /** @param more fields of the body beside those that every checkout has, or in their place */
  async checkOut(cartId: string, email = 'ada@example.com', more: object = {}): Promise<TestResponse> {
    const body = { email, shipping_address: ADDRESS, shipping_method: 'standard', ...more }
    return this.post(`/carts/${cartId}/checkout`, body)
  }

  /** Puts a variant into a new cart and buys it. */
  async buy(variantId: string, quantity = 1, email?: string): Promise<Order> {
    const cart = await this.cartWith(variantId, quantity)
    const response = await this.checkOut(cart.id, email)
    if (response.status !== 200) throw new Error(`the checkout was rejected: ${JSON.stringify(response.body)}`)
    return Order.parse(response.body)
  }

  async register(email: string): Promise<void> {
    const response = await this.post('/auth/register', {
      email,
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'Lovelace',
    })
    if (response.status !== 200) throw new Error(`the registration was rejected: ${JSON.stringify(response.body)}`)
    this.token = Credentials.parse(response.body).token
  }

  async signInAsAdmin(email: string, password: string): Promise<void> {
    // Identity may reply too late while a busy machine starts a shop.
    const { body } = await waitFor('a response to the sign-in', async () => {
      const response = await this.post('/admin/auth/login', { email, password })
      return response.status !== 503 && response
    })
    this.token = Credentials.parse(body).token
  }
}

function headersOf(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}
