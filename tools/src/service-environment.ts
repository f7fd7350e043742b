import { SERVICE_NAMES } from '@storefront/contracts'
import type { ServiceName } from '@storefront/contracts'
import { join } from 'node:path'
import type { ServicePorts } from './service-ports.ts'
import type { ShopSecrets } from './shop-secrets.ts'
import type { ShopSettings } from './shop-settings.ts'

export interface ServiceSurroundings {
  settings: ShopSettings
  secrets: ShopSecrets
  dataDir: string
  namespace: string
  ports: Record<ServiceName, ServicePorts>
  metricsPorts: Record<ServiceName, ServicePorts>
  databaseUrls: Record<ServiceName, string>
  redisUrl: string
  natsUrlFor(service: ServiceName): string
  /** Address of the mailbox on this machine, for a shop for which SMTP_URL is not set. */
  mailboxUrl: string
  /** The launcher's own environment, of which a few variables are passed on. */
  inherited: NodeJS.ProcessEnv
}

type Environment = Record<string, string>

/**
 * The environment of each service. It holds only the service's own secrets, so that an attacker inside one service gets
 * no others.
 */
export function serviceEnvironment(service: ServiceName, around: ServiceSurroundings, replica = 0): Environment {
  const { settings, ports } = around
  return {
    ...passedThrough(around.inherited),
    APP_ENV: 'development',
    HOST: service === 'gateway' ? '0.0.0.0' : '127.0.0.1',
    PORT: String(ports[service][replica]),
    METRICS_PORT: String(around.metricsPorts[service][replica]),
    NAMESPACE: around.namespace,
    LOG_LEVEL: settings.LOG_LEVEL,
    PUBLIC_URL: publicUrl(settings, ports.gateway[0]),
    REDIS_URL: around.redisUrl,
    NATS_URL: around.natsUrlFor(service),
    ACTOR_PUBLIC_KEY: around.secrets.actorKeys.publicKey,
    ...(service !== 'gateway' && { DATABASE_URL: around.databaseUrls[service] }),
    ...own[service](around),
  }
}

export function publicUrl(settings: ShopSettings, port: number): string {
  return `http://localhost:${port}${settings.PUBLIC_BASE_PATH}`
}

export function internalUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

const own: Record<ServiceName, (around: ServiceSurroundings) => Environment> = {
  gateway: ({ settings, secrets, ports, inherited }) => ({
    ACTOR_PRIVATE_KEY: secrets.actorKeys.privateKey,
    ...Object.fromEntries(
      SERVICE_NAMES.filter((name) => name !== 'gateway').map((name) => [
        `${name.toUpperCase()}_URL`,
        ports[name].map(internalUrl).join(','),
      ]),
    ),
    STOREFRONT_ORIGINS: settings.STOREFRONT_ORIGINS.join(','),
    PUBLIC_BASE_PATH: settings.PUBLIC_BASE_PATH,
    ...named(inherited, 'OVERLOAD_'),
    ...given({
      RATE_LIMIT_GENERAL: settings.RATE_LIMIT_GENERAL,
      RATE_LIMIT_AUTH: settings.RATE_LIMIT_AUTH,
      RATE_LIMIT_LOOKUP: settings.RATE_LIMIT_LOOKUP,
      RATE_LIMIT_RESET: settings.RATE_LIMIT_RESET,
      RATE_LIMIT_NEWSLETTER: settings.RATE_LIMIT_NEWSLETTER,
      RATE_LIMIT_DISCOUNT: settings.RATE_LIMIT_DISCOUNT,
      RATE_LIMIT_CHECKOUT: settings.RATE_LIMIT_CHECKOUT,
      RATE_LIMIT_WEBHOOKS: settings.RATE_LIMIT_WEBHOOKS,
    }),
  }),
  catalog: ({ dataDir, inherited }) => ({
    MEDIA_DIR: mediaDir(dataDir),
    ...named(inherited, 'MEDIA_S3_'),
    ...named(inherited, 'PICTURES_'),
  }),
  cart: ({ settings, secrets }) => ({
    BROWSER_COOKIE_KEY: secrets.browserCookieKey,
    BUYER_HASH_KEY: secrets.buyerHashKey,
    ...given({ BUYER_HASH_KEY_PREVIOUS: settings.BUYER_HASH_KEY_PREVIOUS }),
  }),
  orders: ({ settings, secrets }) => ({
    BROWSER_COOKIE_KEY: secrets.browserCookieKey,
    STOREFRONT_ORIGINS: settings.STOREFRONT_ORIGINS.join(','),
    STOREFRONT_URL: settings.STOREFRONT_URL,
    KEPT_ANSWERS_KEY: secrets.storedResponsesKey,
    ...secretsKeys(settings),
    ...given({
      RATE_LIMIT_GENERAL: settings.RATE_LIMIT_GENERAL,
      RATE_LIMIT_LOOKUP: settings.RATE_LIMIT_LOOKUP,
      UNPAID_CHECKOUTS_PER_BUYER: settings.UNPAID_CHECKOUTS_PER_BUYER,
      UNPAID_CHECKOUTS_PER_ADDRESS: settings.UNPAID_CHECKOUTS_PER_ADDRESS,
      UNPAID_STOCK_PERCENT_PER_BUYER: settings.UNPAID_STOCK_PERCENT_PER_BUYER,
      UNPAID_STOCK_PERCENT: settings.UNPAID_STOCK_PERCENT,
      DEMO_WEBHOOK_SECRET: settings.DEMO_WEBHOOK_SECRET,
      RAZORPAY_KEY_ID: settings.RAZORPAY_KEY_ID,
      RAZORPAY_KEY_SECRET: settings.RAZORPAY_KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRET: settings.RAZORPAY_WEBHOOK_SECRET,
      RAZORPAY_BASE_URL: settings.RAZORPAY_BASE_URL,
      STRIPE_SECRET_KEY: settings.STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: settings.STRIPE_WEBHOOK_SECRET,
      STRIPE_BASE_URL: settings.STRIPE_BASE_URL,
      PAYMENT_TIMEOUT_MS: settings.PAYMENT_TIMEOUT_MS,
    }),
  }),
  identity: ({ settings, secrets }) => ({
    ADMIN_EMAIL: settings.ADMIN_EMAIL,
    ADMIN_PASSWORD: secrets.adminPassword,
    ...given({ ACCOUNT_URL: settings.ACCOUNT_URL, RATE_LIMIT_AUTH: settings.RATE_LIMIT_AUTH }),
    ...secretsKeys(settings),
  }),
  notifier: ({ settings, secrets, mailboxUrl }) => ({
    STOREFRONT_URL: settings.STOREFRONT_URL,
    STOREFRONT_WEBHOOK_SECRET: secrets.webhookSecret,
    WEBHOOK_ALLOW_PRIVATE: settings.WEBHOOK_ALLOW_PRIVATE,
    ...secretsKeys(settings),
    SMTP_URL: settings.SMTP_URL ?? mailboxUrl,
    ...given({
      MAIL_FROM: settings.MAIL_FROM,
      RATE_LIMIT_GENERAL: settings.RATE_LIMIT_GENERAL,
      MAILS_PER_RECIPIENT: settings.MAILS_PER_RECIPIENT,
      MAILS_PER_SENDER: settings.MAILS_PER_SENDER,
      MAILS_PER_NETWORK: settings.MAILS_PER_NETWORK,
    }),
  }),
}

/** The keys for services that decrypt credentials which identity has encrypted. */
function secretsKeys({ SECRETS_KEY, SECRETS_KEY_PREVIOUS }: ShopSettings): Environment {
  return given({ SECRETS_KEY, SECRETS_KEY_PREVIOUS })
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
    'STARTUP_MEMORY',
    'PASSWORD_HASH_COST',
  ]
  return given(
    Object.fromEntries(Object.entries(inherited).filter(([name]) => names.includes(name) || name.startsWith('OTEL_'))),
  )
}

function named(inherited: NodeJS.ProcessEnv, prefix: string): Environment {
  return given(Object.fromEntries(Object.entries(inherited).filter(([name]) => name.startsWith(prefix))))
}

function given(values: Record<string, string | number | undefined>): Environment {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
