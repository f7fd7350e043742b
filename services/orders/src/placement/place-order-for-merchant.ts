import { z } from 'zod'
import { actorIdOf } from '@storefront/audit'
import type { App } from '@storefront/http'
import { Order } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { respondOnce, IdempotencyHeaders } from '../idempotency/respond-once.ts'
import { merchantOrder } from '../orders/order.ts'
import { MerchantPlacement, placementKeyOf } from './merchant-placement.ts'
import { placeForMerchant } from './place-for-merchant.ts'

const Placed = Order.extend({
  created: z.boolean().describe('false if the key or the cart already had this order.'),
}).meta({ id: 'PlacedOrder' })

/** Makes an order of a cart for a merchant's own checkout. The calling browser gets no access to the order. */
export function placeOrderForMerchantRoute(app: App, context: OrdersContext): void {
  app.post('/admin/orders', {
    config: {
      access: { admin: 'orders:write' },
      errors: [
        'cart_not_found',
        'conflict',
        'email_required',
        'empty_cart',
        'idempotency_mismatch',
        'invalid_discount',
        'invalid_email',
        'invalid_shipping_method',
        'out_of_stock',
        'payment_failed',
        'undeliverable_country',
      ],
    },
    schema: {
      summary: 'Place an order for a cart, once per key',
      description:
        "For a merchant's own checkout: the cart is priced, and its stock reserved, as in every checkout. A key or a cart that has " +
        'an order already gets that one, with `created` false. Where the body has a key, an `Idempotency-Key` has no ' +
        'effect. If the payment is captured and goods are short, the order is placed and flagged for attention.',
      headers: IdempotencyHeaders,
      body: MerchantPlacement,
      response: { 200: Placed },
    },
    handler: async (request, reply) => {
      const { actor, actorToken, body } = request
      const work = async () => {
        const { order, created } = await placeForMerchant(context, body, { userId: actorIdOf(actor), actorToken })
        return { ...merchantOrder(order), created }
      }
      // A key returns its order as it is now, whatever else the request contains, and not a stored response.
      if (placementKeyOf(body) !== undefined) return work()
      return respondOnce(context, { request, reply, operation: 'place order', schema: Placed }, { work })
    },
  })
}
