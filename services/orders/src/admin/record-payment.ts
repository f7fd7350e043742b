import type { Tx } from '../database.ts'
import { orderHasAnotherPayment, paymentReferenceTaken } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { confirmPayments, hasMoney } from '../payments/confirm-payments.ts'
import { DEMO } from '../payments/demo/demo-event.ts'
import { demoReferenceOf } from '../payments/demo/consume-order-placed.ts'
import { findOrderNamedByPayment, findOrderOfPayment } from '../payments/payments.queries.ts'
import { isPaymentProvider } from '../payments/providers.ts'

interface GivenPayment {
  reference?: string | undefined
  method?: string | undefined
}

/**
 * The merchant reports that an order was paid: by transfer, on delivery, or at a provider that sent no event. An order
 * that was already sent keeps its status. The order must be locked.
 * @throws HttpError `conflict` when the order has another payment, or the payment belongs to another order
 */
export async function recordPayment(
  tx: Tx,
  order: StoredOrder,
  given: GivenPayment,
  { now, actor }: { now: Date; actor: string },
): Promise<void> {
  const { provider, reference } = identify(order, given.reference)
  if (hasMoney(order)) {
    // A repeated click, or a second admin at the same moment, is not an error.
    const isSameReference = given.reference === undefined || reference === order.payment.reference
    if (isSameReference && (given.method ?? order.payment.method) === order.payment.method) return
    throw orderHasAnotherPayment()
  }
  const namedOrderId = await findOrderNamedByPayment(tx, provider, reference)
  if (namedOrderId !== undefined && namedOrderId !== order.id) throw paymentReferenceTaken()
  const { amount: amountMinor, currency } = order.document.total
  const method = given.method ?? order.payment.method
  await confirmPayments(tx, [{ provider, reference, orderId: order.id, amountMinor, currency, method }], now, actor)
  // Another replica may have recorded it for another order since it was looked up.
  if ((await findOrderOfPayment(tx, { provider, reference })) !== order.id) throw paymentReferenceTaken()
}

/**
 * A payment without a reference was taken by hand: the order's provider did not report it and cannot refund it, unless
 * the order was placed with the reference of its payment there. The demo provider pays each of its orders itself
 * moments later: that is the same money, not a second payment.
 */
function identify({ id, payment }: StoredOrder, given: string | undefined): { provider: string; reference: string } {
  const { provider } = payment
  if (provider === DEMO) return { provider, reference: demoReferenceOf(id) }
  const isCallable = isPaymentProvider(provider)
  const reference = given ?? (isCallable ? payment.reference : null)
  if (reference !== null) return { provider, reference }
  return { provider: isCallable ? 'manual' : provider, reference: `manual_${id}` }
}
