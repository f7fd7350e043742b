import { sql, type Kysely } from 'kysely'
import type { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { createApp, type App } from '@storefront/http'
import { firstConnections, openMessaging, replyToFindMissingReceipts, type Messaging } from '@storefront/messaging'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import {
  actorVerifier,
  announceStop,
  type ActorVerifier,
  type Clock,
  type DatabaseServiceConfig,
  type Log,
  type RedisClient,
  type Registered,
} from '@storefront/service'

/** What the operations of every service depend on. */
export interface Connections<Tables> {
  db: Kysely<Tables>
  /** NATS may become available later: what needs it waits. */
  messaging: Messaging
  verifyActor: ActorVerifier
  log: Log
  clock: Clock
}

/** What a service consists of beside its routes. */
export interface Parts<Context> extends Registered {
  /** The dependencies of its operations. */
  context: Context
  /** A connection that is no longer used when consumers and timers have stopped. */
  redis?: RedisClient
  /** Closes other connections of the service. */
  close?: () => Promise<void>
}

export interface StartedService<Context> {
  app: App
  /** The address it listens on. */
  url: string
  /** For operations that run without a request. */
  context: Context
  /** Stops the consumers in advance: `stop` waits for them. */
  stopConsuming(): Promise<void>
  stop(): Promise<void>
}

interface Options {
  name: ServiceName
  config: z.output<typeof DatabaseServiceConfig>
  log: Log
  clock: Clock
  /** The folder of its migrations. */
  migrations: string
  /** How PostgreSQL names the connections; the name of the service by default. */
  connectionName?: string
}

/**
 * Connects to the database, which must have been migrated, and to NATS, lets the service register what it does, and
 * listens. Its `stop` serves for another STOP_DELAY_MS, then finishes what is in progress and closes the connections.
 * @param register prepares the data that the service needs and registers routes, consumers, request handlers and timers
 */
export async function startService<Tables, Context>(
  { name, config, log, clock, migrations, connectionName = name }: Options,
  register: (app: App, connections: Connections<Tables>) => Promise<Parts<Context>>,
): Promise<StartedService<Context>> {
  const connections = openConnections<Tables>({ name, config, log, clock, connectionName })
  const { db, messaging, verifyActor } = connections
  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  let started: Pick<Parts<Context>, 'consumers' | 'timers' | 'redis' | 'close'> = { consumers: [], timers: [] }

  let stopped: Promise<unknown> | undefined
  async function stopConsuming(): Promise<void> {
    await (stopped ??= Promise.all(started.consumers.map((consumer) => consumer.stop())))
  }

  /** In the only order that loses nothing: what uses a connection ends before the connection does. */
  async function stop(): Promise<void> {
    const { timers, redis, close } = started
    await Promise.all([app.close(), messaging.stopReplying(), stopConsuming()])
    await Promise.all(timers.map((timer) => timer.stop()))
    await messaging.close()
    redis?.disconnect()
    await db.destroy()
    await close?.()
  }

  try {
    await assertMigrated(db, migrations)
    replyToFindMissingReceipts(connections)
    const parts = await register(app, connections)
    started = parts
    await firstConnections({ messaging, ...(parts.redis && { redis: parts.redis }) })
    const url = await app.listen({ host: config.HOST, port: config.PORT })
    log.info({ url }, `${name} is listening`)
    return {
      app,
      url,
      context: parts.context,
      stopConsuming,
      async stop() {
        await announceStop(app, config.STOP_DELAY_MS)
        await stop()
      },
    }
  } catch (error) {
    // The reason why it could not start matters more than an error of the stop.
    await stop().catch(() => {})
    throw error
  }
}

/** Returns at once: what needs a connection waits for it. */
function openConnections<Tables>({
  name,
  config,
  log,
  clock,
  connectionName,
}: Omit<Required<Options>, 'migrations'>): Connections<Tables> {
  return {
    db: createDatabase<Tables>({
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL,
      connectMs: config.DATABASE_CONNECT_MS,
      name: connectionName,
      log,
    }),
    messaging: openMessaging({
      url: config.NATS_URL,
      service: name,
      namespace: config.NAMESPACE,
      log,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    }),
    verifyActor: actorVerifier(config.ACTOR_PUBLIC_KEY, clock),
    log,
    clock,
  }
}
