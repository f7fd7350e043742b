import type { ConsumerInfo } from '@nats-io/jetstream'
import { durableName, EVENTS, eventsStream } from '@storefront/contracts'
import type { EventArguments } from './event-arguments.ts'
import { missing, type ShopStreams } from './shop-streams.ts'
import type { RunContext } from './terminal.ts'
import { textTable } from './text-table.ts'

const HEAD = ['SERVICE', 'EVENT', 'WAITING', 'IN PROGRESS', 'RETRIED', 'LAST HANDLED']

/** The progress of each consumer: waiting events, events in progress, and retried events. */
export async function listConsumers(
  streams: ShopStreams,
  wanted: Pick<EventArguments, 'event' | 'service'>,
  { terminal }: RunContext,
): Promise<void> {
  const stream = eventsStream(streams.namespace)
  const known = new Map<string, ConsumerInfo>()
  try {
    for await (const info of streams.manager.consumers.list(stream)) known.set(info.name, info)
  } catch (error) {
    missing(stream)(error)
  }
  const consumers = EVENTS.flatMap((event) => event.consumers.map((service) => ({ service, event }))).filter(
    ({ service, event }) => (wanted.event ?? event.name) === event.name && (wanted.service ?? service) === service,
  )
  const rows = consumers.map(({ service, event }) => {
    const info = known.get(durableName(service, event))
    if (info === undefined) return [service, event.name, 'missing: the migrate step creates it']
    const { num_pending, num_ack_pending, num_redelivered, ack_floor } = info
    const numbers = [num_pending, num_ack_pending, num_redelivered].map(String)
    return [service, event.name, ...numbers, ack_floor.last_active === undefined ? 'never' : momentOf(ack_floor)]
  })
  terminal.out(rows.length === 0 ? 'No consumer matches.\n' : textTable(HEAD, rows))
}

/** The server sends ISO 8601 with nanoseconds, unlike the client's types. */
function momentOf({ last_active }: { last_active: unknown }): string {
  return new Date(String(last_active)).toISOString()
}
