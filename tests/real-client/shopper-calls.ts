import type { Connection, Query } from './connection.ts'
import { ApiFailure, cartAt, check, itemsOf, objectAt, productAt, textAt, type Json } from './replies.ts'

const part = encodeURIComponent

export function catalogCalls({ get }: Connection) {
  return {
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
    refetchStorefront: async () => objectAt(await get('/storefront', { once: crypto.randomUUID() }), 'GET /storefront'),
    getBootstrap: async () => objectAt(await get('/bootstrap'), 'GET /bootstrap'),
    listAttributes: async () => objectAt(await get('/attributes'), 'GET /attributes'),
    listSizeCharts: async () => itemsOf(await get('/size-charts'), 'GET /size-charts'),
    getDeliveryEstimate: async (query: Query) =>
      objectAt(await get('/delivery-estimate', query), 'GET /delivery-estimate'),
  }
}

export function cartCalls(connection: Connection) {
  const { kept, get, post, patch, remove } = connection
  return {
    dropCart: () => void kept.delete('bag'),
    rememberCart: (id: string) => void kept.set('bag', id),
    getCart: async () => cartAt(await get(`/carts/${await bagOf(connection)}`), 'GET /carts/:id'),
    addToCart: async (variantId: string, quantity = 1) =>
      cartAt(
        await post(`/carts/${await bagOf(connection)}/lines`, { variant_id: variantId, quantity }),
        'POST /carts/:id/lines',
      ),
    async updateCartLine(lineId: string, quantity: number) {
      const path = `/carts/${await bagOf(connection)}/lines/${lineId}`
      return cartAt(
        quantity <= 0 ? await remove(path) : await patch(path, { quantity }),
        'PATCH /carts/:id/lines/:lineId',
      )
    },
    clearCart: async () => cartAt(await remove(`/carts/${await bagOf(connection)}/lines`), 'DELETE /carts/:id/lines'),
    applyDiscount: async (code: string) =>
      cartAt(await post(`/carts/${await bagOf(connection)}/discount`, { code }), 'POST /carts/:id/discount'),
  }
}

export function checkoutCalls(connection: Connection, origin: string) {
  const { kept, post } = connection
  return {
    async checkout(order: { email: string; shippingAddress: Json; shippingMethod: string }) {
      const { email, shippingAddress: shipping_address, shippingMethod: shipping_method } = order
      const reply = await post(`/carts/${await bagOf(connection)}/checkout`, {
        email,
        shipping_address,
        shipping_method,
      })
      kept.delete('bag')
      return objectAt(reply, 'POST /carts/:id/checkout')
    },
    /** The checkout of every mode but `demo`, whose path the configuration contains. */
    async startCheckout(
      settings: Json,
      { email, shippingAddress, shippingMethod }: { email: string; shippingAddress: Json; shippingMethod: string },
    ) {
      const cartId = await bagOf(connection)
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
  }
}

/** The id of the bag, which is replaced when it no longer exists. */
async function bagOf({ kept, get, post }: Connection): Promise<string> {
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

export function orderCalls({ get, post }: Connection) {
  return {
    listOrders: async () => itemsOf(await get('/orders'), 'GET /orders'),
    getOrder: async (id: string) => objectAt(await get(`/orders/${part(id)}`), 'GET /orders/:id'),
    /** Reads an order as newer versions do: with the token in its address, and without cookies. */
    getOrderByToken: async (id: string, token: string) =>
      objectAt(await get(`/orders/${part(id)}`, { token }), 'GET /orders/:id?token='),
    lookUpOrder: async (number: string, email: string) =>
      objectAt(await post('/orders/lookup', { number, email }), 'POST /orders/lookup'),
  }
}

export function accountCalls({ kept, get, post, patch, remove, keepSession }: Connection) {
  return {
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
  }
}
