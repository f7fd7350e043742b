import { consumerConfigs, prepareStreams } from '@storefront/messaging'
import { deadLetterStream, EVENTS, eventsStream, type EventDefinition } from '@storefront/contracts'
import { SERVICES_WITH_DATA } from '../prepare.ts'
import { shopAddresses } from '../shop-addresses.ts'
import { messageOf, StartError } from '../start-error.ts'
import { streamOptions } from '../stream-settings.ts'
import type { EventArguments } from './event-arguments.ts'
import { republisher } from './publish-again.ts'
import { openSchemaClients, type SchemaClients } from './schema-clients.ts'
import { openShopStreams, type ShopStreams } from './shop-streams.ts'
import { processTerminal, type RunContext, type Terminal } from './terminal.ts'
import { textTable } from './text-table.ts'
import { findUnconsumedEvents, type UnconsumedEvent, type UnconsumedPage } from './unconsumed-events.queries.ts'

const PAGE = 2000

/**
 * Recovery after NATS lost its disk, or the database was restored from a backup. An event that is only in transit
 * counts as missing too: that does no harm, because consumers with a receipt ignore it.
 * @returns how many events were published again
 */
export async function recoverEvents(
  streams: ShopStreams,
  wanted: Pick<EventArguments, 'event' | 'service' | 'since' | 'dryRun' | 'yes'>,
  { env, terminal, signal }: Omit<RunContext, 'now'>,
): Promise<number> {
  const lost = await missingStreams(streams)
  for (const stream of lost) terminal.note(`The stream ${stream} is missing.\n`)
  // Existing streams stay as the migrate step configured them, for example their number of replicas.
  if (lost.length > 0 && !wanted.dryRun) {
    const { cluster } = streams.connection.info ?? {}
    await prepareStreams(streams.connection, streams.namespace, streamOptions(env, cluster))
    terminal.note('Streams and consumers were created again.\n')
  }
  if (lost.length === 0) await recreateConsumers(streams, wanted.dryRun, terminal)
  let clients: SchemaClients | undefined
  try {
    clients = await openSchemaClients(shopAddresses(env))
    const counts = new Map<string, number>()
    await eachUnconsumed(
      clients,
      wanted,
      signal,
      async ({ name }) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    )
    if (counts.size === 0) {
      terminal.out('Every consumer has a receipt of every event.\n')
      return 0
    }
    terminal.out(
      textTable(
        ['EVENT', 'MISSING RECEIPTS'],
        [...counts].map(([name, count]) => [name, String(count)]),
      ),
    )
    if (wanted.dryRun) return 0
    if (!wanted.yes && !(await terminal.confirm('Publish them again?', signal))) return 0
    const publishAgain = republisher(streams)
    let published = 0
    await eachUnconsumed(clients, wanted, signal, async (event, definition) => {
      await publishAgain(
        { id: event.eventId },
        definition,
        Buffer.from(event.payload),
        `${definition.from}:${event.id}`,
      )
      published++
    })
    terminal.out(`${published} ${published === 1 ? 'event' : 'events'} published again.\n`)
    return published
  } catch (error) {
    if (error instanceof StartError || streams.connection.isClosed()) throw error
    throw new StartError(
      `The published events cannot be read from the database (${messageOf(error)}): DATABASE_URL must be the address of the shop's database, as the role of the migrate step, and CART_DATABASE_URL and so on those of schemas that are elsewhere.`,
    )
  } finally {
    await clients?.close()
  }
}

/** The same for every event of a shop that is stopped, without asking. @param env with the addresses of its servers */
export async function recoverAllEvents(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const streams = await openShopStreams(env)
  try {
    const everything = { event: undefined, service: undefined, since: undefined, dryRun: false, yes: true }
    await recoverEvents(streams, everything, { env, terminal: processTerminal(), signal })
  } finally {
    await streams.close()
  }
}

async function eachUnconsumed(
  clients: SchemaClients,
  wanted: Pick<EventArguments, 'event' | 'service' | 'since'>,
  signal: AbortSignal,
  handle: (event: UnconsumedEvent, definition: EventDefinition) => Promise<void>,
): Promise<void> {
  const names = EVENTS.map(({ name }) => name).filter((name) => (wanted.event ?? name) === name)
  const page = { since: wanted.since ?? new Date(0), names, limit: PAGE }
  for (const origin of SERVICES_WITH_DATA.filter((service) => (wanted.service ?? service) === service)) {
    let after: string | undefined = '0'
    while (after !== undefined) {
      signal.throwIfAborted()
      const found: UnconsumedPage = await findUnconsumedEvents(clients.of, origin, { ...page, after })
      for (const event of found.events) {
        const definition = EVENTS.find(({ name }) => name === event.name)
        if (definition) await handle(event, definition)
      }
      after = found.next
    }
  }
}

/** A recreated consumer starts at the beginning of the stream, and ignores the events that it has a receipt of. */
async function recreateConsumers({ manager, namespace }: ShopStreams, dryRun: boolean, terminal: Terminal) {
  const stream = eventsStream(namespace)
  const known = new Set<string>()
  for await (const { name } of manager.consumers.list(stream)) known.add(name)
  for (const config of consumerConfigs(namespace).filter(({ durable_name }) => !known.has(durable_name))) {
    terminal.note(`The consumer ${config.durable_name} is missing.\n`)
    if (dryRun) continue
    await manager.consumers.add(stream, config)
    terminal.note(`The consumer ${config.durable_name} was created again.\n`)
  }
}

async function missingStreams({ manager, namespace }: ShopStreams): Promise<string[]> {
  const known: string[] = []
  for await (const name of manager.streams.names()) known.push(name)
  return [eventsStream(namespace), deadLetterStream(namespace)].filter((stream) => !known.includes(stream))
}
