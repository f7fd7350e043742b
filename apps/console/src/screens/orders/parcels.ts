import type { Order, OrderLine } from './orders-queries.ts'
import { refundableUnits } from './refund-amount.ts'

export type Parcel = NonNullable<Order['fulfilments']>[number]

export interface LineUnits {
  line: OrderLine
  quantity: number
}

/** How many units of each line were sent, by its id. */
export function sentUnits({ fulfilments = [] }: Order): ReadonlyMap<string, number> {
  const sent = new Map<string, number>()
  for (const { lineId, quantity } of fulfilments.flatMap(({ lines }) => lines))
    sent.set(lineId, (sent.get(lineId) ?? 0) + quantity)
  return sent
}

/** What is still to be sent: nothing that is refunded. The orders service counts it again. */
export function remainingToSend(order: Order): LineUnits[] {
  const sent = sentUnits(order)
  const left = refundableUnits(order)
  return order.lines.flatMap((line) => {
    const quantity = (left.get(line.id) ?? 0) - (sent.get(line.id) ?? 0)
    return quantity > 0 ? [{ line, quantity }] : []
  })
}

/** Whether a part of the order was sent, and more is to come. */
export function isPartlySent(order: Order): boolean {
  return wasPartlySent(order) && order.status !== 'cancelled'
}

/** The same, also of an order that was canceled then: the merchant must know what the buyer has. */
export function wasPartlySent({ status, fulfilments = [] }: Order): boolean {
  return fulfilments.length > 0 && status !== 'fulfilled' && status !== 'delivered'
}

/** Units as people read them, such as `1 × Linen shirt`. */
export function lineUnitsText(units: readonly LineUnits[]): string {
  return units.map(({ line, quantity }) => `${quantity} × ${line.title}`).join(', ')
}

/** The parcel whose tracking the order shows, and which a correction changes: the newest with any, or else the newest. */
export function trackedParcel({ fulfilments = [] }: Order): Parcel | undefined {
  return fulfilments.findLast(({ tracking }) => tracking !== undefined) ?? fulfilments.at(-1)
}

/** The lines of a parcel or a refund with their names. */
export function contentOf(order: Order, { lines }: Pick<Parcel, 'lines'>): LineUnits[] {
  return lines.flatMap(({ lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId)
    return line ? [{ line, quantity }] : []
  })
}
