import { z } from 'zod'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Cart, newId } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { findOpenCartOf, insertCart, lockCartsOf } from './carts.queries.ts'
import { cartResponse } from './open-cart.ts'
import { resumeCart } from './resume-cart.ts'
import { expiryFrom, type StoredCart } from './stored-cart.ts'

const Body = z
  .object({
    fresh: z
      .boolean()
      .optional()
      .describe('If true, creates an empty cart even if the signed-in customer has an open one.'),
  })
  .nullish()

/** A new cart; for a signed-in customer the open one, unless a fresh one is requested. */
export function createCartRoute(app: App, context: CartContext): void {
  const { db, clock, ttlDays, browsers } = context
  app.post('/carts', {
    config: { access: 'public' },
    schema: {
      summary: 'Create a cart',
      description:
        'Replies with an empty cart, or with the open cart of the signed-in customer unless `fresh` is true. Sets the ' +
        'cookie `store_browser` (`__Host-store_browser` over https), which opens the orders that are placed from this browser.',
      body: Body,
      response: { 200: Cart },
    },
    handler: async (request, reply) => {
      const { actor, body } = request
      // Set before the checkout, where it matters: two clicks on the very first checkout must come from one browser.
      browsers.remember(request, reply)
      const now = clock.now()
      const customerId = actor.kind === 'customer' ? actor.customerId : null
      // The customer who continues with their open cart; null for a guest, and when a fresh cart is requested.
      const returningId = body?.fresh === true ? null : customerId
      const open = returningId === null ? undefined : await resumeCart(context, returningId)
      if (open) return cartResponse(context, open)
      const cart = { id: newId('cart'), customerId, createdAt: now, expiresAt: expiryFrom(now, ttlDays) }
      const emptyCart: StoredCart = {
        id: cart.id,
        customerId,
        lines: [],
        version: 1,
        recentKeys: [],
        discountCode: null,
        discount: null,
      }
      if (returningId === null) {
        await insertCart(db, cart)
        return cartResponse(context, emptyCart)
      }
      const first = await transaction(db, async (tx) => {
        await lockCartsOf(tx, returningId)
        // Two tabs that send this request at once get one cart.
        const other = await findOpenCartOf(tx, returningId, now)
        if (!other) await insertCart(tx, cart)
        return other ?? emptyCart
      })
      return cartResponse(context, first)
    },
  })
}
