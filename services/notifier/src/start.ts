import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns'
import { join } from 'node:path'
import { defineService, systemClock, type Clock, type Encryption, type Log } from '@storefront/service'
import { createNameResolver, isPrivateAddress, type ResolveName } from '@storefront/http'
import { openCredentials, type Credentials } from '@storefront/credentials'
import { ReadNotifierCredentials } from '@storefront/contracts'
import { startService, type StartedService } from '@storefront/service-start'
import { registerNotifier } from './app.ts'
import { NotifierConfig } from './config.ts'
import type { NotifierContext } from './context.ts'
import type { NotifierTables } from './database.ts'
import { connectionName } from './deliveries/deliveries.queries.ts'
import { DeliveryWorker } from './deliveries/delivery-worker.ts'
import { createWebhookSender } from './deliveries/send-webhook.ts'
import { storefrontSecrets } from './deliveries/storefront-secrets.ts'
import { createEndpointReader } from './endpoints/endpoint-reader.ts'
import { createEndpointEncryption } from './endpoints/endpoint-secret.ts'
import { registerStorefrontEndpoint, revalidateUrl } from './endpoints/register-storefront-endpoint.ts'
import { reencryptEndpointSecrets } from './endpoints/reencrypt-secrets.ts'
import { signingSecrets } from './endpoints/signing-secrets.ts'
import { chooseTransport } from './mails/choose-transport.ts'
import { mailLimitsOf } from './mails/mail-limits.ts'
import { startMailWorker } from './mails/mail-worker.ts'
import { alertPages } from './mails/read-alert-links.ts'
import { linkReader, paymentLinkReader } from './mails/read-link.ts'
import { orderPages } from './mails/read-order-link.ts'
import { smtpPassword } from './mails/smtp-password.ts'
import { createSettingsReader } from './settings/settings-reader.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')
/** Below the 10 s after which a stopping process is ended. */
const STOP_GRACE_MS = 7000

export type RunningNotifier = StartedService<NotifierContext>

export const service = defineService('notifier', NotifierConfig, startNotifier)

/**
 * NATS may become available later: queued work is processed without it.
 * @param resolve finds the addresses behind the names of receivers
 */
export async function startNotifier(
  config: NotifierConfig,
  log: Log,
  clock: Clock = systemClock,
  // Without private receivers the system's look-up is not used: its search domains lead to internal hosts.
  resolve: ResolveName = createNameResolver({ system: config.WEBHOOK_ALLOW_PRIVATE ? lookup : undefined }),
): Promise<RunningNotifier> {
  const worker = randomUUID()
  const encryption = createEndpointEncryption(config)
  if (config.SMTP_URL === undefined) {
    log.warn('SMTP_URL is not set: mails wait until the settings of the shop set a mail server in notifications.smtp')
  }
  return startService<NotifierTables, NotifierContext>(
    { name: 'notifier', config, log, clock, migrations: MIGRATIONS, connectionName: connectionName(worker) },
    async (app, connections) => {
      const { db, messaging } = connections
      await registerStorefrontEndpoint(db, revalidateUrl(config), clock)
      await reencryptEndpointSecrets(db, encryption, log)
      const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadNotifierCredentials })
      const context = { ...connections, worker, leaseMs: config.CLAIM_LEASE_MS, pollMs: config.POLL_INTERVAL_MS }
      const parts = { config, context, credentials, resolve }
      const { deliveries, sender, secretsOf } = startDeliveries({ ...parts, encryption })
      const { mails, ...mailing } = startMails(parts)
      const { consumers, timers } = registerNotifier(app, {
        ...context,
        ...mailing,
        encryption,
        allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
        resolve,
        sender,
        secretsOf,
        secretsKnown: credentials.known,
        deliver: () => deliveries.wake(),
        sendMails: () => mails.wake(),
      })
      return {
        context,
        // The workers stop at the same time: what is still consumed is queued for the next start, and a receiver that
        // hangs takes the whole grace.
        consumers: [
          ...consumers,
          { stop: () => deliveries.stop(STOP_GRACE_MS) },
          { stop: () => mails.stop(STOP_GRACE_MS) },
        ],
        timers: [...timers, credentials],
      }
    },
  )
}

interface Parts {
  config: NotifierConfig
  context: NotifierContext
  credentials: Credentials
  resolve: ResolveName
}

function startDeliveries({
  config,
  context,
  credentials,
  resolve,
  encryption,
}: Parts & { encryption: Encryption | undefined }) {
  const { db, log, clock } = context
  const sender = createWebhookSender({
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    ...(config.STOREFRONT_WEBHOOK_URL !== undefined && { operatorsUrl: revalidateUrl(config) }),
    resolve,
  })
  const secretsOf = signingSecrets({
    encryption,
    clock,
    log,
    storefront: () => storefrontSecrets({ credentials, clock }, config.STOREFRONT_WEBHOOK_SECRET),
  })
  const deliveries = new DeliveryWorker({
    ...context,
    sender,
    endpoints: createEndpointReader({ db, log, secretsOf }),
    secretsKnown: credentials.known,
    probeMs: config.WEBHOOK_TIMEOUT_MS + config.CLAIM_LEASE_MS,
  })
  return { deliveries, sender, secretsOf }
}

function startMails({ config, context, credentials, resolve }: Parts) {
  const mailing = {
    transport: chooseTransport({
      smtpUrl: config.SMTP_URL,
      password: smtpPassword({ db: context.db, credentials }),
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
    readLink: linkReader(context.messaging),
    readPaymentLink: paymentLinkReader(context.messaging),
    orderPages: orderPages(context.messaging, config.STOREFRONT_URL),
    alertPages: alertPages(context.messaging, { storefrontUrl: config.STOREFRONT_URL, publicUrl: config.PUBLIC_URL }),
    passwordKnown: credentials.known,
  })
  return { mails, ...mailing }
}
