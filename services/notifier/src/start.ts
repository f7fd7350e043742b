import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns'
import { join } from 'node:path'
import { createEncryption, defineService, systemClock, type Clock, type Log } from '@storefront/service'
import { createNameResolver, isPrivateAddress, type ResolveName } from '@storefront/http'
import { openCredentials } from '@storefront/credentials'
import { ReadNotifierCredentials } from '@storefront/contracts'
import { startService, type Connections, type StartedService } from '@storefront/service-start'
import { registerNotifier } from './app.ts'
import { NotifierConfig } from './config.ts'
import type { WorkerContext } from './context.ts'
import type { NotifierTables } from './database.ts'
import { connectionName } from './deliveries/claims.queries.ts'
import { createWebhookSender } from './deliveries/send-webhook.ts'
import { storefrontSecrets } from './deliveries/storefront-secrets.ts'
import { createEndpointReader } from './endpoints/endpoint-reader.ts'
import { ENDPOINT_SECRETS_PURPOSE } from './endpoints/endpoint-secret.ts'
import { registerStorefrontEndpoint, revalidateUrl } from './endpoints/register-storefront-endpoint.ts'
import { reencryptEndpointSecrets } from './endpoints/reencrypt-secrets.ts'
import { signingSecrets } from './endpoints/signing-secrets.ts'
import { chooseTransport } from './mails/choose-transport.ts'
import { mailLimitsOf } from './mails/mail-limits.ts'
import { alertPages } from './mails/read-alert-links.ts'
import { linkReader, paymentLinkReader } from './mails/read-link.ts'
import { orderPages } from './mails/read-order-link.ts'
import { smtpPassword } from './mails/smtp-password.ts'
import { createSettingsReader } from './settings/settings-reader.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')

export type RunningNotifier = StartedService<WorkerContext>

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
  const encryption = createEncryption(config, ENDPOINT_SECRETS_PURPOSE)
  if (config.SMTP_URL === undefined) {
    log.warn('SMTP_URL is not set: mails wait until the settings of the shop set a mail server in notifications.smtp')
  }
  return startService<NotifierTables, WorkerContext>(
    { name: 'notifier', config, log, clock, migrations: MIGRATIONS, connectionName: connectionName(worker) },
    async (app, connections) => {
      const { db } = connections
      await registerStorefrontEndpoint(db, revalidateUrl(config), clock)
      await reencryptEndpointSecrets(db, encryption, log)
      const context = openContext(config, connections, { worker, encryption, resolve })
      return { ...registerNotifier(app, context), context }
    },
  )
}

function openContext(
  config: NotifierConfig,
  connections: Connections<NotifierTables>,
  made: Pick<WorkerContext, 'worker' | 'encryption' | 'resolve'>,
): WorkerContext {
  const { db, messaging, log, clock } = connections
  const { encryption, resolve } = made
  const { WEBHOOK_ALLOW_PRIVATE: allowPrivate, PUBLIC_URL: publicUrl, STOREFRONT_URL: storefrontUrl } = config
  const credentials = openCredentials({ messaging, log, clock, keys: config, request: ReadNotifierCredentials })
  const secretsOf = signingSecrets({
    encryption,
    clock,
    log,
    storefront: () => storefrontSecrets({ credentials, clock }, config.STOREFRONT_WEBHOOK_SECRET),
  })
  return {
    ...connections,
    ...made,
    leaseMs: config.CLAIM_LEASE_MS,
    pollMs: config.POLL_INTERVAL_MS,
    credentials,
    allowPrivate,
    sender: createWebhookSender({
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      allowPrivate,
      ...(config.STOREFRONT_WEBHOOK_URL !== undefined && { operatorsUrl: revalidateUrl(config) }),
      resolve,
    }),
    secretsOf,
    endpoints: createEndpointReader({ db, log, secretsOf }),
    probeMs: config.WEBHOOK_TIMEOUT_MS + config.CLAIM_LEASE_MS,
    transport: chooseTransport({
      smtpUrl: config.SMTP_URL,
      password: smtpPassword({ db, credentials }),
      allowPrivate,
      isPrivate: isPrivateAddress,
      timeoutMs: config.SMTP_TIMEOUT_MS,
      resolve,
    }),
    settings: createSettingsReader(connections),
    mailFrom: config.MAIL_FROM,
    publicUrl,
    mailLimits: mailLimitsOf(config),
    readLink: linkReader(messaging),
    readPaymentLink: paymentLinkReader(messaging),
    orderPages: orderPages(messaging, storefrontUrl),
    alertPages: alertPages(messaging, { storefrontUrl, publicUrl }),
  }
}
