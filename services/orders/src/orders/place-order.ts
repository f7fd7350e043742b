import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { OrderPlaced, readEmailAddress, type Unproven } from '@storefront/contracts'
import { hasVerified } from '../customers/customers.queries.ts'
import type { Database, Tx } from '../database.ts'
import { endDraft } from '../drafts/end-draft.ts'
import { confirmPayments } from '../payments/confirm-payments.ts'
import { findOrderOfPayment, recordUncaptured, type CapturedPayment } from '../payments/payments.queries.ts'
import { isPaymentProvider } from '../payments/providers.ts'
import type { StoredOrder } from './order.ts'
import { countOrderEvent } from './order-metrics.ts'
import { orderInEvents } from './order-event-data.ts'
import { insertOrder, recordPlacementKey, type OrderDraft, type Placement } from './place-order.queries.ts'

interface PlacementWithMoney extends Placement {
  capture?: Omit<CapturedPayment, 'orderId'> | undefined
}

/**
 * Writes an order with its event, and with its payment if that has arrived. The caller's transaction must roll back
 * when this throws: `attemptToPlace` ensures that.
 * @throws NotPlaced when the cart, one of its lines, the order's id, its placement key or its payment has an order, or
 * one of its holds was released
 */
export async function placeOrder(
  tx: Tx,
  draft: OrderDraft,
  options: PlacementWithMoney & {
    /** The keys by which mail limits count the buyer; omitted when the limits do not apply. */
    senders?: readonly string[]
  },
): Promise<StoredOrder> {
  const { capture, senders, ...placement } = options
  const { number, hasLines } = await insertOrder(tx, draft, placement)
  if (number === undefined || !hasLines) throw new NotPlaced()
  const { placementKey } = placement
  if (placementKey !== undefined && !(await recordPlacementKey(tx, placementKey, draft.id))) throw new NotPlaced()
  const initial = { tracking: null, tags: [], fulfilments: [], refunds: [], refundedMinor: 0, restockedAt: null }
  const order = { ...draft, ...initial, number }
  await endDraft(tx, order)
  const unproven = senders && (await unprovenOf(tx, draft, senders))
  await publish(tx, OrderPlaced, { ...placedEventData(order, options), ...(unproven && { unproven }) }, order.placedAt)
  countOrderEvent(tx, 'placed')
  if (capture) {
    await confirmPayments(tx, [{ ...capture, orderId: order.id }], order.placedAt, placement.actor)
    // One payment never pays for two carts.
    if ((await findOrderOfPayment(tx, capture)) !== order.id) throw new NotPlaced()
  } else {
    await recordExpectedPayment(tx, order, order.placedAt)
  }
  return order
}

/**
 * The provider's updates about a payment that the merchant only reported name no order: they find it by this record.
 */
export async function recordExpectedPayment(
  tx: Tx,
  { id: orderId, payment, document }: Pick<StoredOrder, 'id' | 'payment' | 'document'>,
  at: Date,
): Promise<void> {
  const { provider, method, reference } = payment
  if (reference === null || !isPaymentProvider(provider)) return
  const { amount: amountMinor, currency } = document.total
  const expected = { provider, reference, orderId, status: 'authorized' as const, amountMinor, currency, method }
  await recordUncaptured(tx, expected, at)
}

/** A customer who has verified the address of the order reads its mails. For anyone else the recipient is unknown. */
async function unprovenOf(
  tx: Tx,
  { customerId, email }: OrderDraft,
  senders: readonly string[],
): Promise<Unproven | undefined> {
  const canonical = readEmailAddress(email)?.canonical
  const isProven = customerId !== null && canonical !== undefined && (await hasVerified(tx, { customerId, canonical }))
  return isProven ? undefined : { senders: [...senders] }
}

function placedEventData(order: StoredOrder, { capture, cartIds, lineIds }: PlacementWithMoney) {
  const { cartId, customerId, claim, discountClaim, document } = order
  const shown = orderInEvents(order)
  const { provider } = order.payment
  const method = capture?.method ?? null
  return {
    // Consumers must not take it for an order that waits for its payment.
    order: capture
      ? { ...shown, payment: { provider, status: 'captured' as const, ...(method === null ? {} : { method }) } }
      : shown,
    cartId,
    cartIds: [...cartIds],
    lineIds: [...lineIds],
    ...(customerId === null ? {} : { customerId }),
    ...(discountClaim === null ? {} : { discountClaim }),
    ...(claim === null ? {} : { reservation: { id: claim.slice(0, claim.lastIndexOf('.')), claim } }),
    locale: document.locale,
  }
}

/** Runs `work` in a transaction of its own. @returns undefined, with nothing written, when it threw NotPlaced */
export async function attemptToPlace<Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await transaction(db, work)
  } catch (error) {
    if (error instanceof NotPlaced) return undefined
    throw error
  }
}

/** Another request was faster. Its changes are committed and can be read. */
export class NotPlaced extends Error {
  constructor() {
    super('the order was not placed')
    this.name = 'NotPlaced'
  }
}
