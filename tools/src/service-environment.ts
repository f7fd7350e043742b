import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { SETTINGS } from '@storefront/contracts/settings'
import { join } from 'node:path'
import type { MailboxPorts } from './mailbox/mailbox-command.ts'
import type { ServicePorts } from './service-ports.ts'
import type { ShopSecrets } from './shop-secrets.ts'
import type { ShopSettings } from './shop-settings.ts'

/** What the environments of the services are made from. */
export interface LaunchContext {
  settings: ShopSettings
  secrets: ShopSecrets
  dataDir: string
  namespace: string
  ports: Record<ServiceName, ServicePorts>
  metricsPorts: Record<ServiceName, ServicePorts>
  databaseUrls: Record<ServiceName, string>
  redisUrl: string
  natsUrlFor(service: ServiceName): string
  /** Of the storefront on this machine, for a shop for which STOREFRONT_URL is not set. */
  storefrontPort: number | undefined
  /** Of the mailbox on this machine, for a shop for which SMTP_URL is not set. */
  mailboxPorts: MailboxPorts
  /** The launcher's own environment, of which a few variables are passed on. */
  inherited: NodeJS.ProcessEnv
}

type Environment = Record<string, string>

/**
 * The environment of each service. It holds only the service's own secrets, so that an attacker inside one service gets
 * no others.
 */
export function serviceEnvironment(service: ServiceName, context: LaunchContext, replica = 0): Environment {
  const { settings, ports } = context
  return {
    ...passedThrough(context.inherited),
    APP_ENV: 'development',
    HOST: service === 'gateway' ? '0.0.0.0' : '127.0.0.1',
    PORT: String(ports[service][replica]),
    METRICS_PORT: String(context.metricsPorts[service][replica]),
    NAMESPACE: context.namespace,
    PUBLIC_URL: publicUrl(settings, ports.gateway[0]),
    REDIS_URL: context.redisUrl,
    NATS_URL: context.natsUrlFor(service),
    ACTOR_PUBLIC_KEY: context.secrets.actorKeys.publicKey,
    ...(service !== 'gateway' && { DATABASE_URL: context.databaseUrls[service] }),
    ...own[service](context),
    ...settingsFor(service, settings),
  }
}

export function publicUrl(settings: ShopSettings, port: number): string {
  return `http://localhost:${port}${settings.PUBLIC_BASE_PATH}`
}

export function internalUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** What this service gets besides the settings that it reads. */
const own: Record<ServiceName, (context: LaunchContext) => Environment> = {
  gateway: ({ secrets, ports }) => ({
    ACTOR_PRIVATE_KEY: secrets.actorKeys.privateKey,
    STOREFRONT_KEY: secrets.storefrontKey,
    ...Object.fromEntries(
      SERVICE_NAMES.filter((name) => name !== 'gateway').map((name) => [
        `${name.toUpperCase()}_URL`,
        ports[name].map(internalUrl).join(','),
      ]),
    ),
  }),
  catalog: ({ dataDir }) => ({ MEDIA_DIR: mediaDir(dataDir) }),
  cart: ({ secrets }) => ({ BROWSER_COOKIE_KEY: secrets.browserCookieKey, BUYER_HASH_KEY: secrets.buyerHashKey }),
  orders: ({ secrets }) => ({
    BROWSER_COOKIE_KEY: secrets.browserCookieKey,
    KEPT_ANSWERS_KEY: secrets.storedResponsesKey,
  }),
  identity: ({ settings, secrets, storefrontPort }) => ({
    ADMIN_EMAIL: settings.ADMIN_EMAIL,
    ADMIN_PASSWORD: secrets.adminPassword,
    // The shop's own storefront has the pages to which mails about accounts link.
    ...(storefrontPort !== undefined && { ACCOUNT_URL: settings.STOREFRONT_URL }),
  }),
  notifier: ({ settings, secrets, mailboxPorts }) => ({
    STOREFRONT_WEBHOOK_SECRET: secrets.webhookSecret,
    SMTP_URL: settings.SMTP_URL ?? `smtp://127.0.0.1:${mailboxPorts.smtp}`,
  }),
}

/** The settings that the operator has set and that this service reads. */
function settingsFor(service: ServiceName, { given }: ShopSettings): Environment {
  return present(Object.fromEntries(Object.keys(SETTINGS[service]).map((name) => [name, given[name]])))
}

export function mediaDir(dataDir: string): string {
  return join(dataDir, 'media')
}

export function mailDir(dataDir: string): string {
  return join(dataDir, 'mail')
}

function passedThrough(inherited: NodeJS.ProcessEnv): Environment {
  const names = [
    'PATH',
    'HOME',
    'TZ',
    'NODE_EXTRA_CA_CERTS',
    'NODE_COMPILE_CACHE',
    'UNDECLARED_ERRORS',
    'DATABASE_CONNECT_MS',
    'REQUEST_TIMEOUT_MS',
    'STARTUP_MEMORY',
    'PASSWORD_HASH_COST',
  ]
  return present(
    Object.fromEntries(Object.entries(inherited).filter(([name]) => names.includes(name) || name.startsWith('OTEL_'))),
  )
}

function present(values: Record<string, string | undefined>): Environment {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
