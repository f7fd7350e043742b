import { consume, type Consumer } from '@storefront/chassis'
import {
  newId,
  ORDER_MAIL_KINDS,
  type EventDefinition,
  type OrderMailKind,
  type ReceivedEvent,
  type RecordedOrder,
  type RecordedRefund,
  type Unproven,
} from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { findDeletedCustomers } from './customer-mails.queries.ts'
import { queueMails, type Limiting, type RequestedMail } from './queue-mails.ts'

/**
 * News of one moment come from several consumers in any order: an order that is placed with its money, or a refund that
 * cancels the order. Each kind begins so much after the kind before it, so that they meet in the queue and go in order.
 */
const HEAD_START_MS = 500

/** What events about orders have in common. */
interface OrderNews {
  order?: RecordedOrder | undefined
  customerId?: string | undefined
  locale?: string | undefined
  refund?: RecordedRefund | undefined
  unproven?: Unproven | undefined
}

/** What follows from events, in the transaction of their receipt and after it. */
export interface Effect<Data> {
  handle: (tx: Tx, events: ReceivedEvent<Data>[]) => Promise<void>
  afterCommit: () => void
}

/** The buyer hears by mail what became of the order. */
export function mailOrderNews<Data extends OrderNews>(
  context: NotifierContext & Limiting & { sendMails: () => void },
  event: EventDefinition<string, Data>,
  kind: OrderMailKind,
): Consumer {
  const { handle, afterCommit } = orderMails(context, kind)
  return consume(context, event, handle, { afterCommit })
}

/** The same as a part of a consumer that does more: a service has one consumer of an event. */
export function orderMails(context: Limiting & { sendMails: () => void }, kind: OrderMailKind): Effect<OrderNews> {
  return {
    async handle(tx, events) {
      const now = context.clock.now()
      const mails = events.flatMap((event) => mailOf(event, kind, now) ?? [])
      const deleted = await findDeletedCustomers(
        tx,
        mails.flatMap(({ customerId }) => customerId ?? []),
      )
      const wanted = mails.filter(({ customerId = '' }) => !deleted.has(customerId))
      await queueMails(tx, context, wanted)
    },
    afterCommit: context.sendMails,
  }
}

/** @returns undefined for an event from the time when it carried no order, and where there is nothing to tell */
function mailOf(
  { id, at, data: { order, customerId, locale, refund, unproven } }: ReceivedEvent<OrderNews>,
  kind: OrderMailKind,
  now: Date,
): RequestedMail | undefined {
  if (!order || locale === undefined) return undefined
  // Nobody paid anything for an order that costs nothing: that it was received says it all.
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

/** The way back into the order is nobody's business but the buyer's. */
function withoutSecrets(order: RecordedOrder): Omit<RecordedOrder, 'accessToken'> {
  const { accessToken: _, ...rest } = order
  return rest
}
