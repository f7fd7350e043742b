import type { JsMsg } from '@nats-io/jetstream'
import { eventsStream, eventSubject } from '@storefront/contracts'
import type { EventArguments } from './event-arguments.ts'
import { filterOf, readStream } from './read-stream.ts'
import type { ShopStreams } from './shop-streams.ts'
import { readStoredEvent } from './stored-event.ts'
import type { RunContext, Terminal } from './terminal.ts'
import { printable } from './text-table.ts'
import { inOneLine, withoutSecrets } from './without-secrets.ts'

/** Shows events as they are published, until it is stopped or has shown enough. */
export async function tailEvents(
  streams: ShopStreams,
  wanted: Pick<EventArguments, 'event' | 'service' | 'since' | 'count' | 'json' | 'full'>,
  { terminal, signal }: RunContext,
): Promise<void> {
  const { event, service, since, count, json, full } = wanted
  const messages = readStream(streams, {
    stream: eventsStream(streams.namespace),
    filter: filterOf(streams.namespace, event, service),
    from: since ?? 'new',
    bounded: false,
    signal,
  })
  const pattern = service === undefined ? '' : eventSubject(streams.namespace, { name: '', from: service })
  void reportWhenAway(streams, terminal)
  let shown = 0
  for await (const message of messages) {
    // The service may not publish the event: then no message matches both.
    if (!message.subject.startsWith(pattern)) continue
    terminal.out(`${json ? asJson(message, full) : asLine(message, full)}\n`)
    if (++shown >= count) return
  }
}

/** Reports disconnects, so that silence is not mistaken for an idle shop. Ends with the connection. */
async function reportWhenAway({ connection }: ShopStreams, terminal: Terminal): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') terminal.note('NATS is down. The output continues when it is back.\n')
    if (type === 'reconnect') terminal.note('NATS is back.\n')
  }
}

function asLine(message: JsMsg, full: boolean): string {
  const { event, fault } = readStoredEvent(message.data)
  if (event === undefined) return `${message.time.toISOString()}  ${printable(message.subject)}  unreadable: ${fault}`
  const about = inOneLine(withoutSecrets(event.data, { full }))
  const warning = fault === undefined ? '' : `  unreadable: ${fault}`
  return `${event.at}  ${printable(event.name).padEnd(18)}  ${printable(event.id)}  ${printable(about)}${printable(warning)}`
}

function asJson(message: JsMsg, full: boolean): string {
  const { event, fault } = readStoredEvent(message.data)
  const { seq: sequence, subject } = message
  return JSON.stringify({
    sequence,
    subject,
    storedAt: message.time.toISOString(),
    ...(event === undefined ? {} : { ...event, data: withoutSecrets(event.data, { full }) }),
    ...(fault === undefined ? {} : { fault }),
  })
}
