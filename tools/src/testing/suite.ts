import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { escapeIdentifier, Pool } from 'pg'
import { createLog, type Log } from '@storefront/service'
import { natsAddress, openMessaging, prepareStreams, type Messaging } from '@storefront/messaging'
import { actorHeaders, createActorKeys } from '@storefront/service/testing'
import {
  deadLetterStream,
  EventEnvelope,
  eventsStream,
  type EventDefinition,
  type ServiceName,
} from '@storefront/contracts'
import { inject } from 'vitest'
import type { z } from 'zod'
import { urlOfDatabase } from '../with-client.ts'
import { createNamespace, databaseUrlOf, deleteNamespace, STREAM_MAX_BYTES } from './namespace.ts'

export interface Suite {
  namespace: string
  log: Log
  /** Environment variables that every service needs, for `readConfig` or a child process. */
  env: (service: ServiceName) => Record<string, string>
  databaseUrl: (service: ServiceName) => string
  /** The address of its database with all rights. */
  databaseAdminUrl: string
  redisUrl: string
  /** Headers that identify a caller to a service, signed with the key of this suite. */
  headers: ReturnType<typeof actorHeaders>
  actorPrivateKey: string
  /**
   * Connects to NATS as a service, with its permissions, for as long as the suite runs. Its requests have 20 seconds:
   * other test files keep the processors busy, which must not end a request.
   */
  openMessaging: (service: ServiceName) => Promise<Messaging>
  /**
   * Creates the consumers of a service that this suite was not created for, when the test consumes events in its place.
   */
  addConsumersOf: (service: ServiceName) => Promise<void>
  /** Runs SQL as a superuser, to arrange and to check data. */
  sql: <Row>(text: string, values?: unknown[]) => Promise<Row[]>
  /**
   * Data of all published events of a kind, oldest first, including those that are committed now.
   * @param options.isRelayHeld whether a test holds the relay of their service: then only what it has published before
   */
  eventsOf: <Data>(event: EventDefinition<string, Data>, options?: { isRelayHeld: boolean }) => Promise<Data[]>
  /** The dead letters of all consumers, oldest first. */
  deadLetters: () => Promise<DeadLetter[]>
  /** Has `stop` stop this service before it ends what the service uses. */
  stopFirst: (service: { stop: () => Promise<void> }) => void
  stop: () => Promise<void>
}

export interface DeadLetter {
  subject: string
  reason: string
  headers: Record<string, string>
}

const REQUEST_TIMEOUT_MS = 20_000
const RELAY_MS = 20_000

/**
 * Creates a database, streams and key prefix for a suite on the shared servers, migrated for these services, with the
 * consumers of these services.
 * Call it in `beforeAll` and `stop` in `afterAll`.
 */
export async function createSuite(...services: ServiceName[]): Promise<Suite> {
  const servers = inject('servers')
  const namespace = await createNamespace(servers, services)
  const databaseAdminUrl = urlOfDatabase(servers.databaseAdminUrl, namespace)
  const admin = openPool(databaseAdminUrl)
  const nats = await connect(natsAddress(servers.natsAdminUrl))
  const prepareFor = (consumers: readonly ServiceName[]) =>
    prepareStreams(nats, namespace, { maxBytes: STREAM_MAX_BYTES, services: consumers })
  // NATS spends half a millisecond of CPU time on each consumer, and all services have 33.
  await prepareFor(services)
  const manager = await jetstreamManager(nats)
  const keys = createActorKeys()
  const published = new PublishedEvents(manager, eventsStream(namespace))
  const log = createLog({ service: 'test', level: process.env['TEST_LOG'] === undefined ? 'silent' : 'debug' })
  const opened: Messaging[] = []
  const running: { stop: () => Promise<void> }[] = []

  return {
    namespace,
    log,
    redisUrl: servers.redisUrl,
    databaseUrl: (service) => databaseUrlOf(servers, namespace, service),
    databaseAdminUrl,
    headers: actorHeaders(keys),
    actorPrivateKey: keys.privateKey,
    env: (service) => ({
      NAMESPACE: namespace,
      LOG_LEVEL: 'silent',
      UNDECLARED_ERRORS: 'reject',
      PASSWORD_HASH_COST: 'lowest',
      STARTUP_MEMORY: 'keep',
      // Child processes use what others have compiled, also when they are killed before they store it themselves.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      DATABASE_URL: databaseUrlOf(servers, namespace, service),
      DATABASE_CONNECT_MS: '20000',
      REDIS_URL: servers.redisUrl,
      NATS_URL: servers.natsUrls[service],
      ACTOR_PUBLIC_KEY: keys.publicKey,
      BROWSER_COOKIE_KEY: 'the cookies of browsers in tests',
      BUYER_HASH_KEY: 'the buyers of discounts in tests',
    }),
    async openMessaging(service) {
      const url = servers.natsUrls[service]
      const messaging = openMessaging({ url, service, namespace, log, requestTimeoutMs: REQUEST_TIMEOUT_MS })
      opened.push(messaging)
      await messaging.opened
      return messaging
    },
    addConsumersOf: (service) => prepareFor([service]),
    async sql<Row>(text: string, values: unknown[] = []) {
      // Within a transaction PostgreSQL keeps what was first read of this view: later connections would not be in it.
      if (text.includes('pg_stat_activity')) await admin.query('select pg_stat_clear_snapshot()')
      return (await admin.query<Row & Record<string, unknown>>(text, values)).rows
    },
    async eventsOf<Data>(event: EventDefinition<string, Data>, { isRelayHeld = false } = {}) {
      if (!isRelayHeld) await relayed(admin, services)
      return published.of(event)
    },
    deadLetters: () => readDeadLetters(manager, deadLetterStream(namespace)),
    stopFirst: (service) => void running.push(service),
    async stop() {
      for (const service of running) await service.stop()
      await Promise.all(opened.map((messaging) => messaging.close()))
      await nats.close()
      await admin.end()
      await deleteNamespace(servers, namespace)
    },
  }
}

function openPool(connectionString: string): Pool {
  // One connection, because tests open transactions with it. The pool runs concurrent queries one after the other.
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0 })
  // The end of a pool does not wait until its connections are closed, so dropping the database may end them with an
  // error.
  pool.on('error', () => {})
  return pool
}

/** Waits until the relays have published all committed events. */
async function relayed(admin: Pool, services: readonly ServiceName[]): Promise<void> {
  if (services.length === 0) return
  const outboxes = services.map((service) => `exists (select from ${escapeIdentifier(service)}.outbox)`).join(' or ')
  const end = performance.now() + RELAY_MS
  do {
    const { rows } = await admin.query<{ waiting: boolean }>(`select ${outboxes} as waiting`)
    if (rows[0]?.waiting !== true) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  } while (performance.now() < end)
  throw new Error(`the relays have left events in their outboxes for ${RELAY_MS} ms`)
}

class PublishedEvents {
  readonly #manager: JetStreamManager
  readonly #stream: string
  /** By sequence number, cached because stored messages never change. */
  readonly #read = new Map<number, z.output<typeof EventEnvelope>>()

  constructor(manager: JetStreamManager, stream: string) {
    this.#manager = manager
    this.#stream = stream
  }

  async of<Data>(event: EventDefinition<string, Data>): Promise<Data[]> {
    const { state } = await this.#manager.streams.info(this.#stream)
    const found: Data[] = []
    // A stream that was always empty reports 0 as its first message, and rejects a request for it.
    for (let sequence = Math.max(1, state.first_seq); sequence <= state.last_seq; sequence++) {
      const envelope = this.#read.get(sequence) ?? (await this.#readEvent(sequence))
      this.#read.set(sequence, envelope)
      if (envelope.name === event.name) found.push(event.data.parse(envelope.data))
    }
    return found
  }

  async #readEvent(sequence: number): Promise<z.output<typeof EventEnvelope>> {
    const stored = await this.#manager.streams.getMessage(this.#stream, { seq: sequence })
    return EventEnvelope.parse(stored?.json())
  }
}

async function readDeadLetters(manager: JetStreamManager, stream: string): Promise<DeadLetter[]> {
  const { state } = await manager.streams.info(stream)
  const found: DeadLetter[] = []
  for (let sequence = Math.max(1, state.first_seq); sequence <= state.last_seq; sequence++) {
    const stored = await manager.streams.getMessage(stream, { seq: sequence })
    if (!stored) continue
    const headers = Object.fromEntries(stored.header.keys().map((name) => [name, stored.header.get(name)]))
    found.push({ subject: stored.subject, reason: stored.header.get('X-Reason'), headers })
  }
  return found
}
