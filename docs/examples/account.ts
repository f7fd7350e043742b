import { createStorefrontClient, StorefrontError } from '@storefront/client'

const shop = createStorefrontClient({
  baseUrl: process.env['SHOP'] ?? 'http://localhost:8080',
  // Send the customer to the sign-in page here: the session was ended elsewhere, or its 30 days are over.
  onUnauthenticated: () => shop.setToken(undefined),
})

const email = `ada-${Date.now()}@example.com`
const { token, customer } = await shop.post('/auth/register', {
  body: { email, password: 'correct horse battery', firstName: 'Ada', lastName: 'Lovelace' },
})
shop.setToken(token)

const { items } = await shop.get('/products', { params: { query: { per_page: 1 } } })
const slug = items[0]?.slug ?? ''
await shop.post('/me/wishlist', { body: { product_slug: slug } })
const wishlist = await shop.get('/me/wishlist')
process.stdout.write(`${customer.firstName} wishes for ${wishlist.items.map(({ title }) => title).join(', ')}\n`)

await shop.post('/auth/logout')
try {
  await shop.get('/me')
} catch (error) {
  if (!(error instanceof StorefrontError)) throw error
  process.stdout.write(`${error.status} ${error.code}\n`)
}
