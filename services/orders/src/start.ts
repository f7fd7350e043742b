import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import {
  actorVerifier,
  assertMigrated,
  createApp,
  createDatabase,
  openMessaging,
  recogniseBrowsers,
  stopService,
  systemClock,
  type App,
  type Clock,
  type Log,
} from '@storefront/chassis'
import { registerOrders } from './app.ts'
import type { OrdersConfig } from './config.ts'
import type { OrdersTables } from './database.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

export interface RunningOrders {
  app: App
  url: string
  stop(): Promise<void>
}

/** Connects, registers and listens; what it started it stops in the opposite order. */
export async function startOrders(config: OrdersConfig, log: Log, clock: Clock = systemClock): Promise<RunningOrders> {
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const db = createDatabase<OrdersTables>({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL,
    name: 'orders',
    log,
  })
  await assertMigrated(db, MIGRATIONS)
  const messaging = openMessaging({ url: config.NATS_URL, service: 'orders', namespace: config.NAMESPACE, log })

  const app = await createApp({ log, verifyActor, checkReady: async () => void (await sql`select 1`.execute(db)) })
  await recogniseBrowsers(app)
  const { timers, consumers } = registerOrders(app, {
    db,
    messaging,
    log,
    clock,
    verifyActor,
    cookieCrossSite: config.COOKIE_CROSS_SITE === 'true',
    reservationTtlSeconds: config.RESERVATION_TTL_SECONDS,
    lookupsAreLimited: config.RATE_LIMIT_LOOKUP > 0,
  })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'orders is listening')
  return {
    app,
    url,
    stop: () => stopService({ app, consumers, timers, messaging, db }),
  }
}
