import type { JsMsg } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { ServiceName } from '@storefront/contracts'

/** Names the event that a message repeats: its own Nats-Msg-Id is new, or JetStream would drop it as a duplicate. */
export const EVENT_ID_HEADER = 'X-Event-Id'

/** @returns the id of the event in a message, which need not be readable; empty when the message names none */
export function eventIdOf(message: JsMsg): string {
  return message.headers?.get(EVENT_ID_HEADER) || message.headers?.get('Nats-Msg-Id') || ''
}

/** Headers of a dead letter, for the operator. The payload is the event's own, byte for byte. */
export const DEAD_LETTER_HEADERS = {
  eventId: EVENT_ID_HEADER,
  event: 'X-Event',
  /** The consumer that gave up. */
  service: 'X-Service',
  /** The stream where the event was published, and its position in it. */
  subject: 'X-Subject',
  sequence: 'X-Sequence',
  deliveries: 'X-Deliveries',
  /** When the consumer gave up. */
  at: 'X-At',
  reason: 'X-Reason',
} as const

const MAX_REASON_LENGTH = 500

/**
 * @param failure.durable the consumer that gave up
 * @param failure.at the time, for people
 */
export function deadLetterHeaders(
  message: JsMsg,
  failure: { service: ServiceName; durable: string; event: string; reason: string; at: Date },
): MsgHdrs {
  const head = headers()
  // A message that is given up twice, after a crash between publishing and acknowledging, is one dead letter.
  head.set('Nats-Msg-Id', `${failure.durable}:${message.seq}`)
  const values: [name: keyof typeof DEAD_LETTER_HEADERS, value: string][] = [
    ['eventId', eventIdOf(message)],
    ['event', failure.event],
    ['service', failure.service],
    ['subject', message.subject],
    ['sequence', String(message.seq)],
    ['deliveries', String(message.info.deliveryCount)],
    ['at', failure.at.toISOString()],
    ['reason', failure.reason.slice(0, MAX_REASON_LENGTH)],
  ]
  // A line break would begin another header.
  for (const [name, value] of values) head.set(DEAD_LETTER_HEADERS[name], value.replaceAll(/[\r\n]+/g, ' '))
  return head
}
