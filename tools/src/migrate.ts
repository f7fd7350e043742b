import { z } from 'zod'
import { NAMESPACE_FORMAT } from '@storefront/contracts'
import { readConfig } from '@storefront/service'
import { ownDatabaseUrls } from './own-databases.ts'
import { prepare } from './prepare.ts'
import { shopNamespace } from './shop-namespace.ts'
import { messageOf } from './start-error.ts'
import { StreamSettings } from './stream-settings.ts'

const help = `node tools/src/migrate.ts  creates and updates databases, roles, schemas, event streams and consumers

Run it before the services start, and again before each new version. Running it twice changes nothing.

Environment:
  DATABASE_URL             PostgreSQL, as a role that may create roles and databases
  CATALOG_DATABASE_URL, CART_DATABASE_URL, ORDERS_DATABASE_URL, IDENTITY_DATABASE_URL, NOTIFIER_DATABASE_URL
                           the same for a service whose schema is on a server of its own, not on that of DATABASE_URL
  NATS_URL                 NATS with JetStream, as a user that may do everything; several with commas
  CATALOG_DATABASE_PASSWORD, CART_DATABASE_PASSWORD, ORDERS_DATABASE_PASSWORD, IDENTITY_DATABASE_PASSWORD,
  NOTIFIER_DATABASE_PASSWORD
                           for the services' own roles, <namespace>_catalog and so on
  NAMESPACE                prefix of the shop's database, roles, streams and keys (shop)
  NATS_REPLICAS            number of nodes that store each event (3 in a cluster, 1 otherwise)
  STREAM_MAX_BYTES         maximum size of the event stream in bytes (2 GiB)
`

const password = z.string().min(16, 'must have 16 characters or more')

const address = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must look like postgres://user:password@host:5432/name',
})

const MigrateConfig = z.object({
  DATABASE_URL: address,
  CATALOG_DATABASE_URL: address.optional(),
  CART_DATABASE_URL: address.optional(),
  ORDERS_DATABASE_URL: address.optional(),
  IDENTITY_DATABASE_URL: address.optional(),
  NOTIFIER_DATABASE_URL: address.optional(),
  NATS_URL: z.string(),
  CATALOG_DATABASE_PASSWORD: password,
  CART_DATABASE_PASSWORD: password,
  ORDERS_DATABASE_PASSWORD: password,
  IDENTITY_DATABASE_PASSWORD: password,
  NOTIFIER_DATABASE_PASSWORD: password,
  NAMESPACE: z.string().regex(NAMESPACE_FORMAT, 'must be a lower-case word').default(shopNamespace),
  // Checked here, before anything is changed.
  ...StreamSettings.shape,
})

if (process.argv.includes('--help')) {
  process.stdout.write(help)
} else {
  try {
    await migrate(readConfig(MigrateConfig, process.env))
  } catch (error) {
    process.stderr.write(`migrate: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

async function migrate(config: z.output<typeof MigrateConfig>): Promise<void> {
  await prepare({
    adminDatabaseUrl: config.DATABASE_URL,
    ownDatabaseUrls: ownDatabaseUrls(config),
    natsUrl: config.NATS_URL,
    namespace: config.NAMESPACE,
    rolePasswords: {
      gateway: '', // The gateway has no data, and no role.
      catalog: config.CATALOG_DATABASE_PASSWORD,
      cart: config.CART_DATABASE_PASSWORD,
      orders: config.ORDERS_DATABASE_PASSWORD,
      identity: config.IDENTITY_DATABASE_PASSWORD,
      notifier: config.NOTIFIER_DATABASE_PASSWORD,
    },
    env: process.env,
    print: (line) => process.stdout.write(`${line}\n`),
  })
  process.stdout.write('Schemas, streams and consumers are up to date.\n')
}
