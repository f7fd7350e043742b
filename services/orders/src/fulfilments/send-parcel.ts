import { publish } from '@storefront/messaging'
import { newId, OrderFulfilled, ParcelSent, type FulfilledLine, type Tracking } from '@storefront/contracts'
import { isSameTracking } from '../admin/tracking.ts'
import type { Tx } from '../database.ts'
import { invalidTransition } from '../errors.ts'
import { saveStatus, saveTracking } from '../orders/changes.queries.ts'
import { namedUnits } from '../orders/named-units.ts'
import { orderEventData } from '../orders/order-event-data.ts'
import type { StoredOrder } from '../orders/order.ts'
import { mayBecome, TRANSITIONS } from '../orders/transitions.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { insertFulfilment } from './fulfilments.queries.ts'
import { remainingAfter, remainingToFulfil } from './remaining-to-fulfil.ts'

export interface Parcel {
  /** A new one if missing. */
  id?: string
  /** Everything that is left if missing. */
  lines?: readonly FulfilledLine[] | undefined
  /** That of the order for the first parcel if missing: it was set before anything was sent. */
  tracking?: Tracking | null | undefined
  requestHash?: Buffer | null
}

/**
 * Units of an order are sent. The order keeps its status until nothing is left to send: then it is fulfilled. The order
 * must be locked and just read, because the event carries it.
 * @throws HttpError `invalid_transition` when the order cannot be sent, `conflict` for more than is left,
 * `line_not_found` for a line that the order does not have
 */
export async function sendParcel(
  tx: Tx,
  order: StoredOrder,
  { id = newId('fulfilment'), lines, tracking: given, requestHash = null }: Parcel,
  { now, actor }: { now: Date; actor: string },
): Promise<void> {
  const { id: orderId, status, fulfilments } = order
  if (!mayBecome(status, 'fulfilled'))
    throw invalidTransition({ from: status, to: 'fulfilled', allowed: TRANSITIONS[status] })
  const tracking = given === undefined ? trackingSetBefore(order) : given
  const sent = lines ?? remainingToFulfil(order)
  const isLast = remainingAfter(order, sent).length === 0
  // An order without lines has nothing to put into a parcel.
  if (sent.length > 0) await insertFulfilment(tx, { id, orderId, createdAt: now, lines: sent, tracking, requestHash })
  // A first parcel without tracking clears the tracking of the order, which shows that of its parcels.
  const isShown = tracking !== null || fulfilments.length === 0
  const isNewTracking = isShown && !isSameTracking(order.tracking, tracking)
  if (isNewTracking) await saveTracking(tx, orderId, tracking)
  if (!isLast || fulfilments.length > 0) {
    const detail = { fulfilmentId: id, lines: namedUnits(order, sent), ...tracking }
    await recordSteps(tx, [{ orderId, kind: 'parcel', actor, detail }], now)
  } else if (isNewTracking) {
    await recordSteps(tx, [{ orderId, kind: 'tracking', actor, detail: { ...tracking } }], now)
  }
  if (!isLast) {
    const eventData = await orderEventData(tx, { ...order, tracking })
    return publish(tx, ParcelSent, { ...eventData, parcel: { lines: [...sent] } }, now)
  }
  await publish(tx, OrderFulfilled, await orderEventData(tx, { ...order, status: 'fulfilled', tracking }), now)
  await saveStatus(tx, orderId, 'fulfilled')
  await recordSteps(tx, [{ orderId, kind: 'fulfilled', actor }], now)
}

function trackingSetBefore({ tracking, fulfilments }: StoredOrder): Tracking | null {
  return fulfilments.length === 0 ? tracking : null
}
