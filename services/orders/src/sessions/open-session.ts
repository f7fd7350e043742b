import { clientKeysOf } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { newId } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import { pageOfShop } from '../checkout/checkout-body.ts'
import { findVerdicts, lockClaims } from '../checkout/claims.queries.ts'
import { isCodeRedeemed } from '../checkout/is-code-redeemed.ts'
import type { OrdersContext } from '../context.ts'
import { findOrderOfCart, findOrderOfLines } from '../orders/orders.queries.ts'
import { releaseSessions } from './release-sessions.ts'
import { openAtProvider } from './open-at-provider.ts'
import { cartIdsOf, documentOf, isReusable, lineIdsOf, agreementHashOf, type StoredSession } from './session.ts'
import type { SessionRequest } from './session-request.ts'
import { endSessions, insertSession, lockSessions } from './sessions.queries.ts'
import { requireRoomForUnpaid } from './unpaid-limits.ts'

/** Goods that are reserved for a session, and how many units of each variant its buyer may hold without payment. */
export interface HeldGoods {
  claim: string
  perBuyer: readonly { variantId: string; units: number }[]
}

/**
 * Opens a page at the provider for reserved goods. Other open sessions of this cart, of its lines and with the code of
 * merged carts are superseded.
 * @returns undefined when a concurrent request opens the same page, made an order of the cart or of one of its lines,
 * redeemed its code for a merged cart, or released the hold: look again
 * @throws HttpError when the buyer has too many unpaid checkouts or units
 */
export async function openSession(
  context: OrdersContext,
  { request, quote, provider, held }: SessionRequest & { held: HeldGoods },
): Promise<StoredSession | undefined> {
  const session = newSession(context, { request, quote, provider, claim: held.claim })
  const superseded = await transaction(context.db, async (tx) => {
    const { lineIds, discountClaim } = session
    const goods = { cartIds: cartIdsOf(quote, session.requestedCartId), lineIds }
    const before = await lockSessions(tx, { id: null, ...goods, discountClaim })
    if (await findOrderOfCart(tx, session.cartId)) return undefined
    if (await findOrderOfLines(tx, lineIds)) return undefined
    if (await isCodeRedeemed(tx, quote, session.requestedCartId)) return undefined
    const claims = [session.claim, session.discountClaim].filter((each) => each !== null)
    await lockClaims(tx, claims)
    if ((await findVerdicts(tx, claims)).length > 0) return undefined
    const isSame = before.some(
      (each) => each.requestHash.equals(session.requestHash) && isReusable(each, request, context.clock.now()),
    )
    if (isSame) return undefined
    const ended = await endSessions(tx, before, 'superseded')
    await requireRoomForUnpaid(tx, {
      keys: session.buyerKeys,
      limits: context.unpaidLimits,
      goods,
      perBuyer: held.perBuyer,
      lines: quote.lines,
      now: context.clock.now(),
    })
    return (await insertSession(tx, session)) ? ended : undefined
  })
  if (superseded === undefined) return undefined
  // The previous session is released only now that the new one exists, because the goods move to it.
  const [opened] = await Promise.allSettled([
    openAtProvider(context, session, provider, quote),
    releaseSessions(context, superseded),
  ])
  if (opened.status === 'rejected') throw opened.reason
  return opened.value
}

function newSession(
  { clock, paymentSessionTtlSeconds }: OrdersContext,
  { request, quote, provider, claim }: SessionRequest & { claim: string },
): StoredSession {
  const { details, cartId: requestedCartId, secrets } = request
  const orderId = newId('order')
  const createdAt = clock.now()
  return {
    id: newId('payment'),
    orderId,
    cartId: quote.cartId,
    requestedCartId,
    mergedCartIds: quote.mergedCartIds ?? [],
    lineIds: lineIdsOf(quote),
    provider: provider.name,
    providerSession: null,
    url: null,
    status: 'creating',
    customerId: quote.customerId ?? null,
    email: details.email,
    document: documentOf(quote, details),
    numberPrefix: quote.terms.numberPrefix,
    requestHash: agreementHashOf(quote, details, provider.name),
    claim,
    discountClaim: quote.discountClaim ?? null,
    secretHashes: secrets.map(hashSecret),
    successUrl: pageOfShop(details.successUrl, orderId),
    cancelUrl: pageOfShop(details.cancelUrl, orderId),
    createdAt,
    buyerKeys: clientKeysOf(request.buyer),
    expiresAt: new Date(createdAt.getTime() + paymentSessionTtlSeconds * 1000),
  }
}
