import { createStorefrontClient } from '@storefront/client'

const shop = createStorefrontClient({ baseUrl: process.env['SHOP'] ?? 'http://localhost:8080' })

const { items } = await shop.get('/products', { params: { query: { in_stock: '1', per_page: 1 } } })
const variant = items[0]?.variants.find(({ available }) => available)
if (!variant) throw new Error('Nothing is in stock.')

const { id } = await shop.post('/carts')
const cart = await shop.post('/carts/{id}/lines', {
  params: { path: { id } },
  body: { variant_id: variant.id, quantity: 1 },
})

const order = await shop.post('/carts/{id}/checkout', {
  params: { path: { id } },
  body: {
    email: 'ada@example.com',
    shipping_method: 'standard',
    shipping_address: {
      name: 'Ada Lovelace',
      line1: '12 St James Square',
      city: 'London',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
    },
  },
})

// What a checkout returns depends on the shop's checkout mode; `demo` and `api` return an order.
if (!('number' in order)) throw new Error('This shop takes payments on a page of its provider.')
process.stdout.write(`${order.number}: ${cart.subtotal.amount} ${cart.subtotal.currency} and shipping\n`)
