import { clientKeysOf } from '@storefront/http'
import { newId, type Quote } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { DraftChanged } from '../drafts/draft.ts'
import { lockDraft } from '../drafts/drafts.queries.ts'
import type { StoredOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { attemptToPlace, NotPlaced, placeOrder } from '../orders/place-order.ts'
import { freeCapture, isFree } from '../payments/free-order.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import { cartIdsOf, documentOf, lineIdsOf } from '../sessions/session.ts'
import { endSessions, lockSessions } from '../sessions/sessions.queries.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { isCodeRedeemed } from './is-code-redeemed.ts'

/**
 * Places an order that waits for its payment, or that costs nothing and is paid. Open payment sessions of this cart are
 * superseded: they could only lead to a second payment.
 * @returns undefined when the cart or one of its lines has an order, its code was redeemed by the order of a merged
 * cart, or a hold was released
 * @throws DraftChanged when its draft order was changed or canceled meanwhile
 */
export async function placeAtOnce(
  context: OrdersContext,
  { request, quote, claim, provider }: { request: CheckoutRequest; quote: Quote; claim: string; provider: string },
): Promise<StoredOrder | undefined> {
  const { db, clock } = context
  const { details, secrets } = request
  const id = newId('order')
  const capture = isFree(quote) ? freeCapture(id, quote.total) : undefined
  const senders = clientKeysOf(request.buyer)
  const cartIds = cartIdsOf(quote, request.cartId)
  const lineIds = lineIdsOf(quote)
  const placed = await attemptToPlace(db, async (tx) => {
    const waiting = await lockSessions(tx, { id: null, cartIds, lineIds, discountClaim: quote.discountClaim ?? null })
    if (request.draftVersion !== undefined) {
      const draft = await lockDraft(tx, request.cartId)
      if (draft?.status !== 'ordered' && draft?.version !== request.draftVersion) throw new DraftChanged()
    }
    if (await isCodeRedeemed(tx, quote, request.cartId)) throw new NotPlaced()
    const order = await placeOrder(
      tx,
      {
        id,
        cartId: quote.cartId,
        customerId: quote.customerId ?? null,
        email: details.email,
        status: 'placed',
        placedAt: clock.now(),
        document: documentOf(quote, details),
        payment: { provider, status: 'pending', method: null, reference: null },
        claim,
        discountClaim: quote.discountClaim ?? null,
        attention: null,
        capturedMinor: 0,
      },
      {
        numberPrefix: quote.terms.numberPrefix,
        secretHashes: secrets.map(hashSecret),
        cartIds,
        lineIds,
        capture,
        senders,
      },
    )
    const ended = await endSessions(tx, waiting, 'superseded')
    return { order, ended }
  })
  if (!placed) return undefined
  await releaseSessions(context, placed.ended)
  return capture ? ((await findOrder(db, id)) ?? placed.order) : placed.order
}
