import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { actorVerifier, announceStop, systemClock, type Clock, type Log } from '@storefront/service'
import { assertMigrated, createDatabase } from '@storefront/postgres'
import { createApp, createNameResolver, isPrivateAddress, type App, type ResolveName } from '@storefront/http'
import { firstConnections, openMessaging } from '@storefront/messaging'
import { openCredentials } from '@storefront/credentials'
import { ReadNotifierCredentials } from '@storefront/contracts'
import { registerNotifier } from './app.ts'
import type { NotifierConfig } from './config.ts'
import type { NotifierTables } from './database.ts'
import { connectionName } from './deliveries/deliveries.queries.ts'
import { startDeliveryWorker } from './deliveries/delivery-worker.ts'
import { createWebhookSender } from './deliveries/send-webhook.ts'
import { storefrontSecrets } from './deliveries/storefront-secrets.ts'
import { createEndpointReader } from './endpoints/endpoint-reader.ts'
import { createEndpointEncryption } from './endpoints/endpoint-secret.ts'
import { registerStorefrontEndpoint } from './endpoints/register-storefront-endpoint.ts'
import { reencryptEndpointSecrets } from './endpoints/reencrypt-secrets.ts'
import { signingSecrets } from './endpoints/signing-secrets.ts'
import { chooseTransport } from './mails/choose-transport.ts'
import { mailLimitsOf } from './mails/mail-limits.ts'
import { startMailWorker } from './mails/mail-worker.ts'
import { linkReader } from './mails/read-link.ts'
import { orderPages } from './mails/read-order-link.ts'
import { smtpPassword } from './mails/smtp-password.ts'
import { createSettingsReader } from './settings/settings-reader.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Below the 10 s after which a stopping process is ended. */
const STOP_GRACE_MS = 7000

export interface RunningNotifier {
  app: App
  url: string
  stop(): Promise<void>
}

/**
 * Connects, registers and listens. NATS may come later: queued work is processed without it.
 * @param resolve finds the addresses behind the names of receivers
 */
export async function startNotifier(
  config: NotifierConfig,
  log: Log,
  clock: Clock = systemClock,
  // A search domain would resolve to internal hosts.
  resolve: ResolveName = createNameResolver({ system: config.WEBHOOK_ALLOW_PRIVATE ? lookup : undefined }),
): Promise<RunningNotifier> {
  const worker = randomUUID()
  const db = createDatabase<NotifierTables>({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL,
    name: connectionName(worker),
    log,
  })
  const encryption = createEndpointEncryption(config)
  try {
    await assertMigrated(db, MIGRATIONS)
    await registerStorefrontEndpoint(db, config.STOREFRONT_URL, clock)
    await reencryptEndpointSecrets(db, encryption, log)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const messaging = openMessaging({ url: config.NATS_URL, service: 'notifier', namespace: config.NAMESPACE, log })
  const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadNotifierCredentials })
  const context = { db, messaging, log, clock, worker, leaseMs: config.CLAIM_LEASE_MS, pollMs: config.POLL_INTERVAL_MS }

  if (config.SMTP_URL === undefined) {
    log.warn('SMTP_URL is not set: mails wait until the settings of the shop set a mail server in notifications.smtp')
  }

  const sender = createWebhookSender({
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    resolve,
  })
  const secretsOf = signingSecrets({
    encryption,
    clock,
    log,
    storefront: () => storefrontSecrets({ credentials, clock }, config.STOREFRONT_WEBHOOK_SECRET),
  })
  const secretsKnown = credentials.known
  const endpoints = createEndpointReader({ db, log, secretsOf })
  const deliveries = startDeliveryWorker({
    ...context,
    sender,
    endpoints,
    secretsKnown,
    probeMs: config.WEBHOOK_TIMEOUT_MS + config.CLAIM_LEASE_MS,
  })
  const mailing = {
    transport: chooseTransport({
      smtpUrl: config.SMTP_URL,
      password: smtpPassword({ db, credentials }),
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      isPrivate: isPrivateAddress,
      timeoutMs: config.SMTP_TIMEOUT_MS,
      resolve,
    }),
    settings: createSettingsReader(context),
    mailFrom: config.MAIL_FROM,
    publicUrl: config.PUBLIC_URL,
    mailLimits: mailLimitsOf(config),
  }
  const mails = startMailWorker({
    ...context,
    ...mailing,
    readLink: linkReader(messaging),
    orderPages: orderPages(messaging, config.STOREFRONT_URL),
    passwordKnown: credentials.known,
  })
  const verifyActor = actorVerifier(config.ACTOR_PUBLIC_KEY, clock)
  const app = await createApp({
    log,
    verifyActor,
    checkReady: async () => void (await sql`select 1`.execute(db)),
    undeclaredErrors: config.UNDECLARED_ERRORS,
  })
  const { consumers, timers } = registerNotifier(app, {
    ...context,
    ...mailing,
    verifyActor,
    encryption,
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    resolve,
    sender,
    secretsOf,
    secretsKnown,
    deliver: () => deliveries.wake(),
    sendMails: () => mails.wake(),
  })
  await firstConnections({ messaging })
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'notifier is listening')

  return {
    app,
    url,
    async stop() {
      await announceStop(app, config.STOP_DELAY_MS)
      // At the same time: events that are still consumed are queued for the next start, and a receiver that hangs takes
      // the whole grace.
      await Promise.all([
        ...[...consumers, ...timers].map((part) => part.stop()),
        deliveries.stop(STOP_GRACE_MS),
        mails.stop(STOP_GRACE_MS),
      ])
      await credentials.stop()
      await Promise.all([app.close(), messaging.stopReplying()])
      await messaging.close()
      await db.destroy()
    },
  }
}
