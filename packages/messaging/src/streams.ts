import {
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { setTimeout } from 'node:timers/promises'
import {
  deadLetterStream,
  durableName,
  EVENTS,
  eventsStream,
  eventSubject,
  SERVICE_NAMES,
  type ServiceName,
} from '@storefront/contracts'
import { consumerConfig } from './consumer.ts'

const SECOND_NS = 1_000_000_000
const DAY_NS = 24 * 3600 * SECOND_NS
const GIB = 1024 ** 3
/**
 * JetStream's codes for "error creating store for stream", which NATS 2.9 now and then reports while another stream is
 * being deleted, and for "no suitable peers for placement" and "temporarily unavailable" of a cluster that has just
 * started, or that elects a leader.
 */
const TEMPORARY = new Set([10_049, 10_005, 10_008])
const ATTEMPTS = 25

/**
 * Creates or updates the streams and every durable consumer that the contracts define. Part of the migrate step; needs
 * a NATS user with the rights of an administrator. Running it again changes nothing.
 * @param options.replicas 1 on a single server, 3 on a cluster
 * @param options.services those whose consumers are created; all by default
 */
export async function prepareStreams(
  connection: NatsConnection,
  namespace: string,
  options: { replicas?: number; maxBytes?: number; services?: readonly ServiceName[] } = {},
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: 10_000 })
  for (const config of streamConfigs(namespace, options)) await retried(() => upsertStream(manager, config))
  const consumers = consumerConfigs(namespace, options.services)
  await Promise.all(consumers.map((config) => retried(() => manager.consumers.add(eventsStream(namespace), config))))
}

/**
 * The definitions of a shop's durable consumers on the server, those of these services, in the order of the contracts.
 */
export function consumerConfigs(
  namespace: string,
  services: readonly ServiceName[] = SERVICE_NAMES,
): ReturnType<typeof consumerConfig>[] {
  return EVENTS.flatMap((event) =>
    event.consumers
      .filter((service) => services.includes(service))
      .map((service) => consumerConfig(durableName(service, event), eventSubject(namespace, event))),
  )
}

/** The definitions of a shop's streams on the server: events, then dead letters. */
export function streamConfigs(namespace: string, options: { replicas?: number; maxBytes?: number } = {}) {
  const maxBytes = options.maxBytes ?? 2 * GIB
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: options.replicas ?? 1,
    duplicate_window: 120 * SECOND_NS,
  }
  return [
    {
      ...common,
      name: eventsStream(namespace),
      subjects: [`${namespace}.events.>`],
      // Shorter than the lifetime of receipts in the inbox: an event cannot be redelivered after its receipt was
      // deleted.
      max_age: 7 * DAY_NS,
      max_bytes: maxBytes,
    },
    {
      ...common,
      name: deadLetterStream(namespace),
      subjects: [`${namespace}.dead.>`],
      max_age: 90 * DAY_NS,
      max_bytes: Math.floor(maxBytes / 8),
    },
  ]
}

async function upsertStream(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  const known = await manager.streams.info(config.name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined
    throw error
  })
  if (known) await manager.streams.update(config.name, config)
  else await manager.streams.add(config)
}

/** Tries again for five seconds while the error is temporary. The calls may be repeated: they say what there must be. */
async function retried(call: () => Promise<unknown>, attempts = ATTEMPTS): Promise<void> {
  try {
    await call()
  } catch (error) {
    const isTemporary = error instanceof JetStreamApiError && TEMPORARY.has(error.code)
    if (!isTemporary || attempts <= 1) throw error
    await setTimeout(200)
    await retried(call, attempts - 1)
  }
}
