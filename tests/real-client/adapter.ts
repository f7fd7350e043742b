/**
 * Calls the shop the way the existing storefront does (requests, headers, ids kept between them), and asserts about
 * every reply what that storefront asserts. It runs in Node and in browsers, so it imports nothing.
 */
export interface Surroundings {
  /** The address of the shop, without a slash at its end. */
  baseUrl: string
  /** Sends and keeps cookies, as a browser does by itself. */
  fetch: typeof fetch
  /** The origin of the page, for the addresses to which payment providers redirect. */
  origin: string
}

/** An error that the storefront shows to a shopper, or handles. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  readonly detail: unknown

  constructor(status: number, { message, code, detail }: { message: string; code: string; detail: unknown }) {
    super(`${status} ${code}: ${message}`)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

/** A reply with which a page could not be rendered. */
export class ContractFailure extends Error {
  constructor(place: string, wanted: string, got: unknown) {
    super(`${place}: ${wanted} is wanted, and this came: ${JSON.stringify(got)?.slice(0, 300)}`)
  }
}

export type Json = Readonly<Record<string, unknown>>
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined | null>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function check(isRight: boolean, place: string, wanted: string, got: unknown): asserts isRight {
  if (!isRight) throw new ContractFailure(place, wanted, got)
}

export function objectAt(value: unknown, place: string): Json {
  check(isObject(value), place, 'an object', value)
  return value
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  check(Array.isArray(value), place, 'a list', value)
  return value
}

export function textAt(value: unknown, place: string): string {
  check(typeof value === 'string' && value !== '', place, 'a text that is not empty', value)
  return value
}

export function moneyAt(value: unknown, place: string): { amount: number; currency: string } {
  check(
    isObject(value) && Number.isInteger(value['amount']) && typeof value['currency'] === 'string',
    place,
    'money { amount: integer, currency }',
    value,
  )
  return { amount: Number(value['amount']), currency: value['currency'] }
}

/** The items of a reply, which must be `{ items, total }`. */
export function itemsOf(reply: unknown, place: string): readonly Json[] {
  const { items, total } = objectAt(reply, place)
  check(typeof total === 'number', `${place} total`, 'a number', total)
  return listAt(items, `${place} items`).map((item, index) => objectAt(item, `${place} items[${index}]`))
}

export function productAt(value: unknown, place: string): Json {
  const product = objectAt(value, place)
  for (const key of ['id', 'slug', 'title']) textAt(product[key], `${place}.${key}`)
  moneyAt(product['price'], `${place}.price`)
  check(listAt(product['images'], `${place}.images`).length > 0, `${place}.images`, 'one image at least', [])
  check(listAt(product['variants'], `${place}.variants`).length > 0, `${place}.variants`, 'one variant at least', [])
  if (product['fabric'] !== undefined) {
    listAt(objectAt(product['fabric'], `${place}.fabric`)['composition'], `${place}.fabric.composition`)
  }
  return product
}

export function cartAt(value: unknown, place: string): Json {
  const cart = objectAt(value, place)
  textAt(cart['id'], `${place}.id`)
  listAt(cart['lines'], `${place}.lines`)
  moneyAt(cart['subtotal'], `${place}.subtotal`)
  moneyAt(cart['total'], `${place}.total`)
  return cart
}

/** The calls of the storefront, under the names that it uses. */
export function createAdapter({ baseUrl, fetch, origin }: Surroundings) {
  /** The local storage: the bag and the two sessions. */
  const kept = new Map<string, string>()

  async function send(method: string, path: string, options: { query?: Query; body?: unknown } = {}): Promise<unknown> {
    const address = new URL(baseUrl + path)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value === undefined || value === null || value === '') continue
      if (Array.isArray(value)) {
        if (value.length > 0) address.searchParams.set(name, value.join(','))
      } else address.searchParams.set(name, String(value))
    }
    const token = kept.get(path.startsWith('/admin/') ? 'admin' : 'session')
    const isForm = options.body instanceof FormData
    const response = await fetch(address.href, {
      method,
      credentials: 'include',
      headers: {
        accept: 'application/json',
        ...(options.body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        // Newer versions send these headers, and the preflight must allow them.
        'x-loom-lang': 'en',
        'x-loom-pricelist': '1',
      },
      ...(options.body === undefined
        ? {}
        : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    })
    if (response.status === 204) return undefined
    const text = await response.text()
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      throw new ContractFailure(`${method} ${path}`, `JSON with status ${response.status}`, text)
    }
    if (response.ok) return reply
    const { message, code, detail } = objectAt(reply, `${method} ${path}`)
    throw new ApiFailure(response.status, { message: textAt(message, 'message'), code: textAt(code, 'code'), detail })
  }

  const get = (path: string, query?: Query) => send('GET', path, query ? { query } : {})
  const post = (path: string, body?: unknown) => send('POST', path, { body })
  const patch = (path: string, body: unknown) => send('PATCH', path, { body })
  const remove = (path: string) => send('DELETE', path)
  const part = encodeURIComponent

  async function cart(): Promise<string> {
    const known = kept.get('bag')
    if (known !== undefined) {
      try {
        return String(cartAt(await get(`/carts/${known}`), 'GET /carts/:id')['id'])
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 404) throw error
      }
    }
    const id = String(cartAt(await post('/carts', {}), 'POST /carts')['id'])
    kept.set('bag', id)
    return id
  }

  const keepSession = (name: string) => (reply: unknown) => {
    const { token, ...rest } = objectAt(reply, 'a sign-in')
    kept.set(name, textAt(token, 'token'))
    return rest
  }

  return {
    dropCart: () => void kept.delete('bag'),
    dropAdmin: () => void kept.delete('admin'),
    rememberCart: (id: string) => void kept.set('bag', id),

    async listProducts(query: Query = {}) {
      const reply = objectAt(await get('/products', query), 'GET /products')
      itemsOf(reply, 'GET /products').forEach((each, index) => productAt(each, `GET /products items[${index}]`))
      return reply
    },
    getProduct: async (slug: string) => productAt(await get(`/products/${part(slug)}`), 'GET /products/:slug'),
    getRelated: async (slug: string, query: Query = { limit: 4, strategy: 'automatic' }) =>
      itemsOf(await get(`/products/${part(slug)}/related`, query), 'GET /products/:slug/related'),
    async getReviews(slug: string, query: Query = { page: 1, per_page: 5 }) {
      const reply = objectAt(await get(`/products/${part(slug)}/reviews`, query), 'GET /products/:slug/reviews')
      itemsOf(reply, 'GET /products/:slug/reviews')
      const { average } = objectAt(reply['summary'], 'summary')
      check(typeof average === 'number', 'summary.average', 'a number', average)
      return reply
    },
    listCategories: async (query: Query = { tree: 1 }) => itemsOf(await get('/categories', query), 'GET /categories'),
    listCollections: async () => itemsOf(await get('/collections'), 'GET /collections'),
    getStorefront: async () => objectAt(await get('/storefront'), 'GET /storefront'),
    /** A browser caches the previous reply for a minute, as its headers allow, so this path is unique. */
    getStorefrontAnew: async () => objectAt(await get('/storefront', { once: crypto.randomUUID() }), 'GET /storefront'),
    getBootstrap: async () => objectAt(await get('/bootstrap'), 'GET /bootstrap'),
    listAttributes: async () => objectAt(await get('/attributes'), 'GET /attributes'),
    listSizeCharts: async () => itemsOf(await get('/size-charts'), 'GET /size-charts'),
    getDeliveryEstimate: async (query: Query) =>
      objectAt(await get('/delivery-estimate', query), 'GET /delivery-estimate'),

    getCart: async () => cartAt(await get(`/carts/${await cart()}`), 'GET /carts/:id'),
    addToCart: async (variantId: string, quantity = 1) =>
      cartAt(await post(`/carts/${await cart()}/lines`, { variant_id: variantId, quantity }), 'POST /carts/:id/lines'),
    async updateCartLine(lineId: string, quantity: number) {
      const path = `/carts/${await cart()}/lines/${lineId}`
      return cartAt(
        quantity <= 0 ? await remove(path) : await patch(path, { quantity }),
        'PATCH /carts/:id/lines/:lineId',
      )
    },
    clearCart: async () => cartAt(await remove(`/carts/${await cart()}/lines`), 'DELETE /carts/:id/lines'),
    applyDiscount: async (code: string) =>
      cartAt(await post(`/carts/${await cart()}/discount`, { code }), 'POST /carts/:id/discount'),

    async checkout(order: { email: string; shippingAddress: Json; shippingMethod: string }) {
      const { email, shippingAddress: shipping_address, shippingMethod: shipping_method } = order
      const reply = await post(`/carts/${await cart()}/checkout`, { email, shipping_address, shipping_method })
      kept.delete('bag')
      return objectAt(reply, 'POST /carts/:id/checkout')
    },
    /** The checkout of every mode but `demo`, whose path the configuration contains. */
    async startCheckout(
      settings: Json,
      { email, shippingAddress, shippingMethod }: { email: string; shippingAddress: Json; shippingMethod: string },
    ) {
      const cartId = await cart()
      const cancelUrl = textAt(settings['cancelUrl'] ?? '/cart', 'checkout.cancelUrl')
      const createUrl = textAt(settings['createUrl'], 'checkout.createUrl').replaceAll(':cartId', cartId)
      const successUrl = textAt(settings['successUrl'] ?? '/order/:orderId', 'checkout.successUrl').replaceAll(
        ':orderId',
        '{ORDER_ID}',
      )
      return objectAt(
        await post(createUrl, {
          cart_id: cartId,
          email,
          shipping_address: shippingAddress,
          shipping_method: shippingMethod,
          currency: 'USD',
          success_url: new URL(successUrl, origin).href,
          cancel_url: new URL(cancelUrl, origin).href,
        }),
        'POST createUrl',
      )
    },
    verifyPayment: async (payment: Json) => objectAt(await post('/payments/verify', payment), 'POST /payments/verify'),

    listOrders: async () => itemsOf(await get('/orders'), 'GET /orders'),
    getOrder: async (id: string) => objectAt(await get(`/orders/${part(id)}`), 'GET /orders/:id'),
    /** Reads an order as newer versions do: with the token in its address, and without cookies. */
    getOrderByToken: async (id: string, token: string) =>
      objectAt(await get(`/orders/${part(id)}`, { token }), 'GET /orders/:id?token='),
    lookUpOrder: async (number: string, email: string) =>
      objectAt(await post('/orders/lookup', { number, email }), 'POST /orders/lookup'),

    register: async (body: Json) => keepSession('session')(await post('/auth/register', body)),
    login: async (body: Json) => keepSession('session')(await post('/auth/login', body)),
    async logout() {
      const reply = await post('/auth/logout', {})
      kept.delete('session')
      return reply
    },
    getMe: async () => objectAt(await get('/me'), 'GET /me'),
    updateMe: async (body: Json) => objectAt(await patch('/me', body), 'PATCH /me'),
    saveAddress: async (address: Json) =>
      objectAt(
        typeof address['id'] === 'string'
          ? await patch(`/me/addresses/${address['id']}`, address)
          : await post('/me/addresses', address),
        '/me/addresses',
      ),
    deleteAddress: async (id: string) => objectAt(await remove(`/me/addresses/${id}`), 'DELETE /me/addresses/:id'),
    getWishlist: async () => itemsOf(await get('/me/wishlist'), 'GET /me/wishlist'),
    addToWishlist: (slug: string) => post('/me/wishlist', { product_slug: slug }),
    removeFromWishlist: (slug: string) => remove(`/me/wishlist/${part(slug)}`),
    subscribe: (email: string) => post('/newsletter', { email }),

    adminLogin: async (body: Json) => keepSession('admin')(await post('/admin/auth/login', body)),
    adminListProducts: async (query: Query = {}) =>
      objectAt(await get('/admin/products', query), 'GET /admin/products'),
    adminGetProduct: async (id: string) =>
      objectAt(await get(`/admin/products/${part(id)}`), 'GET /admin/products/:id'),
    adminSaveProduct: async (product: Json) =>
      objectAt(
        typeof product['id'] === 'string'
          ? await patch(`/admin/products/${product['id']}`, product)
          : await post('/admin/products', product),
        '/admin/products',
      ),
    adminDeleteProduct: (id: string) => remove(`/admin/products/${part(id)}`),
    adminSetInventory: (variantId: string, quantity: number) =>
      patch(`/admin/variants/${part(variantId)}/inventory`, { quantity }),
    adminAdjustInventory: (variantId: string, delta: number) =>
      post(`/admin/variants/${part(variantId)}/inventory`, { delta }),
    adminSaveCategory: async (category: Json) =>
      objectAt(await post('/admin/categories', category), 'POST /admin/categories'),
    adminDeleteCategory: (slug: string) => remove(`/admin/categories/${part(slug)}`),
    adminUpdateSettings: async (document: Json) =>
      objectAt(await patch('/admin/storefront', document), 'PATCH /admin/storefront'),
    adminImport: async (body: Json) => objectAt(await post('/admin/import', body), 'POST /admin/import'),
    adminExport: async () => objectAt(await get('/admin/export'), 'GET /admin/export'),
    adminSaveSizeChart: async (chart: Json) =>
      objectAt(await post('/admin/size-charts', chart), 'POST /admin/size-charts'),
    adminRefundOrder: async (id: string, body: Json) =>
      objectAt(await post(`/admin/orders/${part(id)}/refunds`, body), 'POST /admin/orders/:id/refunds'),
    adminUpdateOrder: async (id: string, body: Json) =>
      objectAt(await patch(`/admin/orders/${part(id)}`, body), 'PATCH /admin/orders/:id'),
    adminListOrders: async (query: Query = {}) => itemsOf(await get('/admin/orders', query), 'GET /admin/orders'),
    adminListDiscounts: async () => itemsOf(await get('/admin/discounts'), 'GET /admin/discounts'),
    adminSaveDiscount: (body: Json) => post('/admin/discounts', body),
    adminDeleteDiscount: (code: string) => remove(`/admin/discounts/${part(code)}`),
    adminGetCredentials: async () => objectAt(await get('/admin/credentials'), 'GET /admin/credentials'),
    adminSaveCredentials: (body: Json) => post('/admin/credentials', body),
    adminSendTestNotification: async (body: Json) =>
      objectAt(await post('/admin/notifications/test', body), 'POST /admin/notifications/test'),
    listLibrary: async () => objectAt(await get('/admin/library'), 'GET /admin/library'),
    saveLibraryItem: async (kind: string, item: Json) =>
      objectAt(await post(`/admin/library/${kind}`, item), 'POST /admin/library'),
    deleteLibraryItem: (kind: string, id: string) => remove(`/admin/library/${kind}/${part(id)}`),
    async uploadMedia(file: Blob, name: string) {
      const form = new FormData()
      form.append('file', file, name)
      return objectAt(await post('/admin/media', form), 'POST /admin/media')
    },
    listMedia: async () => itemsOf(await get('/admin/media'), 'GET /admin/media'),
    deleteMedia: (id: string) => remove(`/admin/media/${part(id)}`),
  }
}

export type Adapter = ReturnType<typeof createAdapter>
