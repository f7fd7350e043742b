import { z } from 'zod'
import type { App } from '@storefront/http'
import { Cart, countryCodeOf, type PriceSettings } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { undeliverableCountry } from '../errors.ts'
import { checkDestination, shippingMethodOf } from '../pricing/delivery.ts'
import type { Delivery } from '../pricing/reprice-cart.ts'
import { CartParams } from './cart-params.ts'
import { cartResponse, openCart } from './open-cart.ts'

const Query = z.object({
  country: z
    .string()
    .max(100)
    .optional()
    .describe('Prices the cart for a delivery to this country, ISO 3166-1 alpha-2; the first one served if omitted.'),
  region: z.string().max(100).optional().describe('State or province in `country`, where a tax rate depends on it.'),
  shipping_method: z
    .string()
    .max(100)
    .optional()
    .describe('Prices the cart with this method from `commerce.shippingMethods`; the first one if omitted.'),
})
type Query = z.output<typeof Query>

export function getCartRoute(app: App, context: CartContext): void {
  app.get('/carts/:id', {
    config: {
      access: 'public',
      errors: ['cart_not_found', 'conflict', 'invalid_shipping_method', 'undeliverable_country'],
    },
    schema: {
      summary: 'The cart, repriced',
      description:
        'Prices and totals are current, and a discount code that is no longer valid is removed. A guest cart ' +
        'that a signed-in customer opens becomes theirs, or is merged into the open cart they have. With `country`, ' +
        '`region` and `shipping_method` the amounts are those that a checkout with them charges; none of it is stored.',
      params: CartParams,
      querystring: Query,
      response: { 200: Cart },
    },
    handler: async ({ actor, params, query }) =>
      cartResponse(context, await openCart(context, params.id, actor), (settings) => deliveryOf(settings, query)),
  })
}

/** @throws HttpError of a checkout with this delivery */
function deliveryOf(
  settings: PriceSettings,
  { country = '', region = '', shipping_method: method = '' }: Query,
): Delivery {
  const shippingMethod = shippingMethodOf(settings, method)
  if (country === '') return { shippingMethod }
  const code = countryCodeOf(country)
  if (code === undefined) throw undeliverableCountry(country)
  const destination = { country: code, region }
  checkDestination(settings, destination, 'region')
  return { shippingMethod, destination }
}
