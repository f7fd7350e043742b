import { consume, type Consumer } from '@storefront/messaging'
import {
  newId,
  ORDER_MAIL_KINDS,
  type EventDefinition,
  type FulfilledLine,
  type OrderMailKind,
  type ReceivedEvent,
  type RecordedOrder,
  type RecordedRefund,
  type Unproven,
} from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { queueMails, type RequestedMail } from './queue-mails.ts'

/**
 * An order that is placed and paid at once, or a refund that cancels it, has two events at the same time. Each has a
 * consumer of its own, so they arrive in any order. A mail waits this long for each kind before its own in
 * ORDER_MAIL_KINDS: by then both are in the queue, and are sent in order. If one consumer is further behind, after an
 * interruption, its mail is sent after the other.
 */
const HEAD_START_MS = 500

/** The common fields of events about orders. */
interface OrderEventData {
  order?: RecordedOrder | undefined
  customerId?: string | undefined
  locale?: string | undefined
  refund?: RecordedRefund | undefined
  /** The part of the order that the event is about. */
  parcel?: { lines: readonly FulfilledLine[] } | undefined
  unproven?: Unproven | undefined
}

/** The effects of events, in the transaction of their receipt and after it. */
export interface Effect<Data> {
  handle: (tx: Tx, events: ReceivedEvent<Data>[]) => Promise<void>
  afterCommit: () => void
}

/** Mails the buyer about changes of the order. */
export function consumeOrderEvent<Data extends OrderEventData>(
  context: NotifierContext,
  event: EventDefinition<string, Data>,
  kind: OrderMailKind,
): Consumer {
  const { handle, afterCommit } = orderMails(context, kind)
  return consume(context, event, handle, { afterCommit })
}

/** The same for a consumer that also queues webhooks, because a service has only one consumer of each event. */
export function orderMails(context: NotifierContext, kind: OrderMailKind): Effect<OrderEventData> {
  return {
    async handle(tx, events) {
      const now = context.clock.now()
      const mails = events.flatMap((event) => mailOf(event, kind, now) ?? [])
      await queueMails(tx, context, mails)
    },
    afterCommit: context.sendMails,
  }
}

/** @returns undefined for an event of an older version that carried no order, and where no mail is needed */
function mailOf(
  { id, at, data: { order: whole, customerId, locale, refund, parcel, unproven } }: ReceivedEvent<OrderEventData>,
  kind: OrderMailKind,
  now: Date,
): RequestedMail | undefined {
  if (!whole || locale === undefined) return undefined
  const order = parcel ? onlyOf(whole, parcel.lines) : whole
  // An order that costs nothing has no payment: the confirmation of the order is enough.
  if (kind === 'paymentCaptured' && order.total.amount === 0) return undefined
  return {
    id: newId('mail'),
    eventId: id,
    eventAt: new Date(at),
    kind,
    recipient: order.email,
    reference: order.number,
    customerId,
    data: { order: withoutSecrets(order), locale, refund },
    unproven,
    notBefore: new Date(now.getTime() + ORDER_MAIL_KINDS.indexOf(kind) * HEAD_START_MS),
  }
}

/** The order with the lines of a parcel alone, in the quantities that are in it. */
function onlyOf(order: RecordedOrder, parcel: readonly FulfilledLine[]): RecordedOrder {
  const sent = new Map(parcel.map(({ lineId, quantity }) => [lineId, quantity]))
  const { optionNames } = order
  return {
    ...order,
    lines: order.lines.flatMap((line) => {
      const quantity = sent.get(line.id)
      if (quantity === undefined) return []
      return { ...line, quantity, lineTotal: { ...line.lineTotal, amount: line.unitPrice.amount * quantity } }
    }),
    ...(optionNames && { optionNames: optionNames.filter((_, place) => sent.has(order.lines[place]?.id ?? '')) }),
  }
}

/** Only the buyer gets the link that opens the order. */
function withoutSecrets(order: RecordedOrder): Omit<RecordedOrder, 'accessToken'> {
  const { accessToken: _, ...rest } = order
  return rest
}
