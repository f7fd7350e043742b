import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import {
  actorVerifier,
  assertMigrated,
  createApp,
  createDatabase,
  openCredentials,
  openMessaging,
  systemClock,
  type App,
  type Clock,
  type Log,
} from '@storefront/chassis'
import { ReadNotifierCredentials } from '@storefront/contracts'
import { registerNotifier } from './app.ts'
import type { NotifierConfig } from './config.ts'
import type { NotifierTables } from './database.ts'
import { startDeliveryWorker } from './deliveries/delivery-worker.ts'
import { createWebhookSender } from './deliveries/send-webhook.ts'
import { storefrontSecrets } from './deliveries/storefront-secrets.ts'
import { keepStorefrontEndpoint, STOREFRONT_ENDPOINT_ID } from './endpoints/keep-storefront-endpoint.ts'
import { createFileTransport } from './mails/file-transport.ts'
import { startMailWorker } from './mails/mail-worker.ts'
import { linkReader } from './mails/read-link.ts'
import { createSmtpTransport } from './mails/smtp-transport.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Below the 10 s after which a stopping process is ended. */
const STOP_GRACE_MS = 7000

export interface RunningNotifier {
  app: App
  url: string
  stop(): Promise<void>
}

/** Connects, registers and listens. NATS may come later: what is queued is worked off without it. */
export async function startNotifier(
  config: NotifierConfig,
  log: Log,
  clock: Clock = systemClock,
): Promise<RunningNotifier> {
  const db = createDatabase<NotifierTables>({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL,
    name: 'notifier',
    log,
  })
  try {
    await assertMigrated(db, MIGRATIONS)
    await keepStorefrontEndpoint(db, config.STOREFRONT_URL)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const messaging = openMessaging({ url: config.NATS_URL, service: 'notifier', namespace: config.NAMESPACE, log })
  const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadNotifierCredentials })
  const context = { db, messaging, log, clock, worker: randomUUID(), leaseMs: config.CLAIM_LEASE_MS }

  const deliveries = startDeliveryWorker({
    ...context,
    sender: createWebhookSender({
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    }),
    secretsOf: (endpointId) =>
      endpointId === STOREFRONT_ENDPOINT_ID
        ? storefrontSecrets({ credentials, clock }, config.STOREFRONT_WEBHOOK_SECRET)
        : [],
    secretsKnown: credentials.known,
  })
  const mails = startMailWorker({
    ...context,
    transport:
      config.SMTP_URL === undefined
        ? createFileTransport(config.MAIL_DIR ?? '.')
        : createSmtpTransport(config.SMTP_URL, () => credentials.get('smtpPassword')),
    sender: config.MAIL_FROM,
    readLink: linkReader(messaging),
    passwordKnown: credentials.known,
  })
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
  })
  const { consumers, timers } = registerNotifier(app, {
    ...context,
    verifyActor,
    deliver: () => deliveries.poke(),
    sendMails: () => mails.poke(),
  })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'notifier is listening')

  return {
    app,
    url,
    async stop() {
      await Promise.all([...consumers, ...timers].map((part) => part.stop()))
      await Promise.all([deliveries.stop(STOP_GRACE_MS), mails.stop(STOP_GRACE_MS)])
      await credentials.stop()
      await app.close()
      await messaging.close()
      await db.destroy()
    },
  }
}
