import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { natsUsers, SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { readConfig } from '@storefront/service'
import { natsClusterSecrets, patroniSecrets } from '../infrastructure/cluster-secrets.ts'
import { natsConfiguration } from '../infrastructure/nats-configuration.ts'
import { roleName } from '../prepare.ts'
import { readSecret } from '../secrets.ts'
import { shopNamespace } from '../shop-namespace.ts'
import { readShopSecrets, type ShopSecrets } from '../shop-secrets.ts'
import { readSettings } from '../shop-settings.ts'

/** Where the servers are; deploy/high-availability/compose.yml sets these. */
const ServerAddresses = z.object({
  POSTGRES_ADDRESS: z.string().default('postgres:5432'),
  /** Where catalog reads public pages, if not from the primary. */
  POSTGRES_STANDBY_ADDRESS: z.string().optional(),
  /** With commas between them. */
  NATS_ADDRESSES: z.string().default('nats:4222'),
  /** Where the servers of a cluster of NATS reach each other. */
  NATS_ROUTES: z.string().optional(),
  /** In place of the one Redis. */
  REDIS_SENTINELS: z.string().optional(),
})

/**
 * The job `configure` of docker-compose.yml: generates the shop's secrets on the first start, and writes those of each
 * container into its own volume. The volume `all` holds all secrets, and only this job mounts it.
 */
const volumes = '/volumes'
const secretsFolder = join(volumes, 'all')
const addresses = readConfig(ServerAddresses, process.env)

const secrets = readShopSecrets(secretsFolder, readSettings({}))
const secretsKey = readSecret(secretsFolder, 'secretsKey')
const postgresPassword = readSecret(secretsFolder, 'postgresPassword')
const redisPassword = readSecret(secretsFolder, 'redisPassword')
const nats = { user: 'launcher', password: readSecret(secretsFolder, 'natsPassword') }

for (const service of SERVICE_NAMES) writeEnvironment(service, environmentOf(service, secrets))
writeEnvironment('storefront', {
  STOREFRONT_KEY: secrets.storefrontKey,
  STOREFRONT_WEBHOOK_SECRET: secrets.webhookSecret,
})
writeEnvironment('migrate', {
  DATABASE_URL: databaseUrl('postgres', postgresPassword),
  NATS_URL: natsUrl(nats.user, nats.password),
  ...Object.fromEntries(
    SERVICE_NAMES.filter((service) => service !== 'gateway').map((service) => [
      `${service.toUpperCase()}_DATABASE_PASSWORD`,
      secrets.rolePasswords[service],
    ]),
  ),
})
writeEnvironment('doctor', {
  DATABASE_URL: databaseUrl('postgres', postgresPassword),
  REDIS_URL: redisUrl(),
  NATS_URL: natsUrl(nats.user, nats.password),
  SECRETS_KEY: secretsKey,
})
writeEnvironment('seed', { ADMIN_PASSWORD: secrets.adminPassword })
writeFor('postgres', 'password', postgresPassword)
writeFor('grafana', 'password', readSecret(secretsFolder, 'grafanaPassword'))
const observersPassword = readSecret(secretsFolder, 'observersPassword')
writeFor('observers', 'password', `${observersPassword}\n`)
writeFor('observers', 'users.cfg', `userlist observers\n    user admin insecure-password ${observersPassword}\n`)
writeFor('redis', 'password', redisPassword)
writeFor('redis', 'password.conf', `requirepass ${redisPassword}\nmasterauth ${redisPassword}\n`)
const users = [{ name: nats.user, password: nats.password }, ...natsUsers(secrets.natsPasswords)]
writeFor(
  'nats',
  'nats.conf',
  natsConfiguration({ listen: '0.0.0.0:4222', storeDir: '/data', users, settings: { http: '127.0.0.1:8222' } }),
)
if (addresses.NATS_ROUTES !== undefined) {
  const routes = addresses.NATS_ROUTES.split(',')
  writeFor(
    'nats',
    'cluster.conf',
    natsClusterSecrets({ users, password: readSecret(secretsFolder, 'natsRoutePassword'), routes }),
  )
  writeFor(
    'postgres',
    'patroni.yml',
    patroniSecrets({
      superuser: postgresPassword,
      replication: readSecret(secretsFolder, 'postgresReplicationPassword'),
      restApi: readSecret(secretsFolder, 'patroniPassword'),
    }),
  )
}

function environmentOf(service: ServiceName, { actorKeys, ...shop }: ShopSecrets): Record<string, string> {
  const standby = addresses.POSTGRES_STANDBY_ADDRESS
  const own: Record<ServiceName, Record<string, string>> = {
    gateway: { ACTOR_PRIVATE_KEY: actorKeys.privateKey, STOREFRONT_KEY: shop.storefrontKey },
    catalog:
      standby === undefined
        ? {}
        : {
            DATABASE_STANDBY_URL: databaseUrl(roleName(shopNamespace, 'catalog'), shop.rolePasswords.catalog, standby),
          },
    cart: { BROWSER_COOKIE_KEY: shop.browserCookieKey, BUYER_HASH_KEY: shop.buyerHashKey },
    orders: {
      BROWSER_COOKIE_KEY: shop.browserCookieKey,
      KEPT_ANSWERS_KEY: shop.storedResponsesKey,
      SECRETS_KEY: secretsKey,
    },
    identity: { ADMIN_PASSWORD: shop.adminPassword, SECRETS_KEY: secretsKey },
    notifier: { STOREFRONT_WEBHOOK_SECRET: shop.webhookSecret, SECRETS_KEY: secretsKey },
  }
  return {
    ACTOR_PUBLIC_KEY: actorKeys.publicKey,
    NATS_URL: natsUrl(service, shop.natsPasswords[service]),
    ...(service !== 'notifier' && { REDIS_URL: redisUrl() }),
    ...(service !== 'gateway' && {
      DATABASE_URL: databaseUrl(roleName(shopNamespace, service), shop.rolePasswords[service]),
    }),
    ...own[service],
  }
}

function databaseUrl(role: string, password: string, address = addresses.POSTGRES_ADDRESS): string {
  return `postgres://${role}:${password}@${address}/${shopNamespace}`
}

function redisUrl(): string {
  const { REDIS_SENTINELS: sentinels } = addresses
  return sentinels === undefined
    ? `redis://:${redisPassword}@redis:6379`
    : `redis-sentinel://:${redisPassword}@${sentinels}/0#shop`
}

/** Services begin with different servers, because each tries them in this order. */
function natsUrl(user: string, password: string): string {
  const servers = addresses.NATS_ADDRESSES.split(',')
  const first = (SERVICE_NAMES.findIndex((name) => name === user) + 1) % servers.length
  return [...servers.slice(first), ...servers.slice(0, first)]
    .map((server) => `nats://${user}:${password}@${server}`)
    .join(',')
}

/** A value ends at # unless it is quoted, and the address of sentinels has one. */
function writeEnvironment(reader: string, variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) =>
    value.includes('#') ? `${name}="${value}"\n` : `${name}=${value}\n`,
  )
  writeFor(reader, 'environment', lines.join(''))
}

/** Readable in every container that mounts the volume, whatever user its image runs as. */
function writeFor(reader: string, name: string, content: string): void {
  const folder = join(volumes, reader)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content, { mode: 0o644 })
}
