import { newId, type Quote } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { attemptToPlace, placeOrder } from '../orders/place-order.ts'
import { documentOf } from '../sessions/session.ts'
import type { CheckoutRequest } from './checkout.ts'

/** An order that waits for its money. @returns undefined when the cart has an order, or a hold was given up */
export async function placeAtOnce(
  { db, clock }: OrdersContext,
  { request, quote, claim, provider }: { request: CheckoutRequest; quote: Quote; claim: string; provider: string },
): Promise<StoredOrder | undefined> {
  const { details, cartId: askedCartId, secrets } = request
  return attemptToPlace(db, (tx) =>
    placeOrder(
      tx,
      {
        id: newId('order'),
        cartId: quote.cartId,
        customerId: quote.customerId ?? null,
        email: details.email,
        status: 'placed',
        placedAt: clock.now(),
        document: documentOf(quote, details.address),
        payment: { provider, status: 'pending', method: null, reference: null },
        claim,
        discountClaim: quote.discountClaim ?? null,
        attention: null,
        capturedMinor: 0,
      },
      { numberPrefix: quote.terms.numberPrefix, secretHashes: secrets.map(hashSecret), askedCartId },
    ),
  )
}
