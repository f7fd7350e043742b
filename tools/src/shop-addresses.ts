import { resolve } from 'node:path'
import type { ServiceName } from '@storefront/contracts'
import { readRunFile, type ServerName } from './infrastructure/run-file.ts'
import { passwordName } from './infrastructure/postgres-cluster.ts'
import { ownDatabaseUrls } from './own-databases.ts'
import { readRunningShop } from './running-shop.ts'
import { hasSecret, readSecret, secretsPath } from './secrets.ts'
import { shopNamespace } from './shop-namespace.ts'
import { StartError } from './start-error.ts'
import { shopDatabaseUrl } from './with-client.ts'

type Environment = Readonly<Record<string, string | undefined>>
/** The address of a server of the data folder. @param password as it stands in an address */
type ServerUrl = (port: number, password: string) => string

/** Addresses of the servers of a shop, with the credentials of the migrate step. */
export interface ShopAddresses {
  dataDir: string
  namespace: string
  database: string
  /** The servers of schemas that are not in the shop's own database. */
  ownDatabaseUrls: Partial<Record<ServiceName, string>>
  /** The database with the schema of this service, which may be on a server of its own. */
  databaseOf(service: ServiceName): string
  redis: string
  nats: string
}

/**
 * Finds the addresses in the environment (`DATABASE_URL`, `REDIS_URL`, `NATS_URL`) or, where these are absent, in the
 * data folder: those with which the running shop was started, or those of its own servers. Creates no files there.
 * @throws StartError when an address that is read from the result is in neither of them
 */
export function shopAddresses(env: Environment): ShopAddresses {
  const dataDir = resolve(env['DATA_DIR'] || '.data')
  const namespace = env['NAMESPACE'] || shopNamespace
  const running = readRunningShop(dataDir)
  const inFolder = (name: ServerName, secret: string, variable: string, url: ServerUrl) => {
    const port = readRunFile(dataDir, name)?.port
    if (port === undefined) {
      throw new StartError(`There is no shop in ${dataDir}: run npm start first, or set DATA_DIR or ${variable}.`)
    }
    if (!hasSecret(dataDir, secret)) {
      throw new StartError(`${secretsPath(dataDir)} lacks the password of ${name}: restore that file from a backup.`)
    }
    return url(port, encodeURIComponent(readSecret(dataDir, secret)))
  }
  return {
    dataDir,
    namespace,
    // DATABASE_URL in the environment replaces all addresses of the running shop.
    ownDatabaseUrls: { ...(env['DATABASE_URL'] ? {} : running?.ownDatabaseUrls), ...ownDatabaseUrls(env) },
    get database() {
      return databaseOfShop(
        env['DATABASE_URL'] ||
          running?.databaseUrl ||
          inFolder(
            'postgres',
            passwordName,
            'DATABASE_URL',
            (port, password) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
          ),
        namespace,
      )
    },
    databaseOf(service) {
      const own = this.ownDatabaseUrls[service]
      return own === undefined ? this.database : databaseOfShop(own, namespace)
    },
    get redis() {
      return (
        env['REDIS_URL'] ||
        running?.redisUrl ||
        inFolder('redis', 'redisPassword', 'REDIS_URL', (port, password) => `redis://:${password}@127.0.0.1:${port}`)
      )
    },
    get nats() {
      return (
        env['NATS_URL'] ||
        running?.natsUrl ||
        inFolder(
          'nats',
          'natsPassword',
          'NATS_URL',
          (port, password) => `nats://launcher:${password}@127.0.0.1:${port}`,
        )
      )
    },
  }
}

function databaseOfShop(url: string, namespace: string): string {
  try {
    return shopDatabaseUrl(url, namespace)
  } catch {
    // Without the address, which may contain a password.
    throw new StartError(
      'DATABASE_URL, or the variable of a single schema, must be an address such as postgres://user:password@host:5432/shop.',
    )
  }
}
