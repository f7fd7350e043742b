import { SpanKind, type Link } from '@opentelemetry/api'
import type { JsMsg } from '@nats-io/jetstream'
import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import { traced, tracedRoot, linksTo, parentFrom, TRACEPARENT_HEADER, traceHeaders } from '@storefront/service'

type Operation = 'send' | 'process'

function messaging(operation: Operation, destination: string) {
  return {
    'messaging.system': 'nats',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': destination,
  }
}

/** Sends a request in a span, which is passed on in its headers. */
export function tracedRequest(request: string, head: MsgHdrs, send: () => Promise<Msg>): Promise<Msg> {
  return traced(`send ${request}`, { kind: SpanKind.CLIENT, attributes: messaging('send', request) }, () => {
    for (const [name, value] of Object.entries(traceHeaders())) head.set(name, value)
    return send()
  })
}

/** Replies to a request in a span beneath that of the sender. */
export function tracedReply(request: string, message: Msg, respond: () => Promise<void>): Promise<void> {
  const options = { kind: SpanKind.SERVER, attributes: messaging('process', request) }
  return tracedRoot(`process ${request}`, options, respond, parentFrom(message.headers?.get(TRACEPARENT_HEADER)))
}

/** Records events in a span, which the consumers link to. */
export function tracedEvents<Result>(event: string, count: number, record: () => Promise<Result>): Promise<Result> {
  const attributes = { ...messaging('send', event), 'messaging.batch.message_count': count }
  return traced(`send ${event}`, { kind: SpanKind.PRODUCER, attributes }, record)
}

/**
 * Handles events in a separate trace that links to their origins: a batch has many origins, and an event may be handled
 * days after its request.
 */
export function tracedHandling(
  event: string,
  durable: string,
  messages: readonly JsMsg[],
  handle: () => Promise<void>,
): Promise<void> {
  const links: Link[] = messages.flatMap((message) => linksTo(message.headers?.get(TRACEPARENT_HEADER)))
  const attributes = {
    ...messaging('process', event),
    'messaging.consumer.group.name': durable,
    'messaging.batch.message_count': messages.length,
  }
  return tracedRoot(`process ${event}`, { kind: SpanKind.CONSUMER, attributes, links }, handle)
}
