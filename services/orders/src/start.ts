import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { actorVerifier, createEncryption, stopService, systemClock, type Clock, type Log } from '@storefront/service'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import { createApp, newSecret, recognizeBrowsers, type App } from '@storefront/http'
import { firstConnections, openMessaging } from '@storefront/messaging'
import { openCredentials } from '@storefront/credentials'
import { ReadOrdersCredentials } from '@storefront/contracts'
import { createOrderLinks } from './access/order-links.ts'
import { readUnreadAddresses } from './addresses/read-unread-addresses.ts'
import { registerOrders } from './app.ts'
import type { OrdersConfig } from './config.ts'
import type { OrdersContext } from './context.ts'
import type { OrdersTables } from './database.ts'
import { unpaidLimitsOf } from './sessions/unpaid-limits.ts'
import { makeProviders } from './payments/make-providers.ts'
import type { PaymentProviders } from './payments/providers.ts'

const STORED_RESPONSES_PURPOSE = 'storefront kept answers'
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

export interface RunningOrders {
  app: App
  url: string
  /** The dependencies of operations that run without a request. */
  context: OrdersContext
  stop(): Promise<void>
}

/**
 * Connects, registers and listens; it stops in the opposite order.
 * @param options.providers replaces the providers that the merchant has given credentials for
 */
export async function startOrders(
  config: OrdersConfig,
  log: Log,
  clock: Clock = systemClock,
  options: { providers?: PaymentProviders | undefined } = {},
): Promise<RunningOrders> {
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const db = createDatabase<OrdersTables>({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL,
    name: 'orders',
    log,
  })
  await assertMigrated(db, MIGRATIONS)
  await readUnreadAddresses(db)
  const messaging = openMessaging({ url: config.NATS_URL, service: 'orders', namespace: config.NAMESPACE, log })
  const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadOrdersCredentials })

  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  const browsers = await recognizeBrowsers(app, config)
  const ownSecret = config.SECRETS_KEY ?? config.KEPT_ANSWERS_KEY
  const context: OrdersContext = {
    db,
    messaging,
    log,
    clock,
    verifyActor,
    publicUrl: config.PUBLIC_URL,
    storefrontOrigins: new Set([...config.STOREFRONT_ORIGINS, new URL(config.STOREFRONT_URL).origin]),
    browsers,
    reservationTtlSeconds: config.RESERVATION_TTL_SECONDS,
    isProduction: config.APP_ENV === 'production',
    unpaidLimits: unpaidLimitsOf(config),
    lookupsAreLimited: config.RATE_LIMIT_LOOKUP > 0,
    paymentSessionTtlSeconds: config.PAYMENT_SESSION_TTL_SECONDS,
    razorpayKeyId: config.RAZORPAY_KEY_ID,
    providers: options.providers ?? makeProviders(config, { db, messaging, clock, credentials }),
    responseEncryption: createEncryption({ ...config, SECRETS_KEY: ownSecret }, STORED_RESPONSES_PURPOSE),
    // Without a configured secret each process makes one: its links differ from those of the previous process, and both
    // work.
    orderLinks: createOrderLinks(ownSecret ?? newSecret()),
  }
  const { timers, consumers } = registerOrders(app, context)
  await firstConnections({ messaging })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'orders is listening')
  return {
    app,
    url,
    context,
    stop: () =>
      stopService({ app, delayMs: config.STOP_DELAY_MS, consumers, timers: [...timers, credentials], messaging, db }),
  }
}
