import { expect, test } from 'vitest'
import { createStorefrontClient } from '@storefront/client'
import { Catalog } from '../../shop/catalog.ts'
import { priceCheckout } from './price-checkout.ts'

const METHODS = [
  { id: 'bike', price: 900 },
  { id: 'standard', price: 600 },
  { id: 'express', price: 1200 },
]

/** What a shop responds that has these methods and no others. */
function respond(known: readonly string[], url: string): Response {
  const { pathname, searchParams } = new URL(url)
  if (!pathname.startsWith('/carts/')) return Response.json({ code: 'not_found', message: 'Gone.' }, { status: 404 })
  const method = searchParams.get('shipping_method')
  if (method === null || known.includes(method))
    return Response.json({ id: 'cart_1', shipping: { amount: 600, currency: 'USD' } })
  const error = { code: 'invalid_shipping_method', message: 'Please choose another.', detail: { known } }
  return Response.json(error, { status: 422 })
}

/** The ids of the offered methods and the chosen one, in a storefront that read the configuration before it changed. */
async function offeredBy(known: readonly string[], method: string) {
  const shop = createStorefrontClient({
    baseUrl: 'https://shop.example',
    validate: 'off',
    fetch: async ({ url }) => respond(known, url),
  })
  const context = { frame: { settings: { commerce: { shippingMethods: METHODS } } } }
  const request = { shop, catalog: new Catalog(shop), setBag: () => {}, context }
  const priced = await priceCheckout(request, 'cart_1', { country: 'US', region: '', method })
  return { offers: priced?.offers.map((offer) => offer.method.id), chosen: priced?.chosen, faulty: priced?.faulty }
}

test.each([
  ['chosen', 'bike', 'standard'],
  ['offered beside the chosen one', 'express', 'express'],
  ['the first one', '', 'standard'],
])('a method that the shop has deleted is left out when it is %s', async (_place, method, chosen) => {
  const offers = ['standard', 'express']
  expect(await offeredBy(offers, method)).toEqual({ offers, chosen, faulty: [] })
})

test('a shop with other methods is priced with its first one', async () => {
  expect(await offeredBy(['van'], 'bike')).toEqual({ offers: [], chosen: '', faulty: [] })
})

test('a method that the shop has is offered', async () => {
  const offers = METHODS.map(({ id }) => id)
  expect(await offeredBy(offers, 'express')).toEqual({ offers, chosen: 'express', faulty: [] })
})
