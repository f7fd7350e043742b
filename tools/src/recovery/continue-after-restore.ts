import { natsUsers } from '@storefront/contracts'
import { connectedRoles } from '../backup/backup.queries.ts'
import { skipInvoiceNumbers, skipOrderNumbers } from '../backup/numbers.queries.ts'
import { recoverAllEvents } from '../events/recover-events.ts'
import { openSchemaClients } from '../events/schema-clients.ts'
import { startInfrastructure } from '../infrastructure/index.ts'
import { lockDataFolder } from '../launcher-lock.ts'
import { roleName, SERVICES_WITH_DATA } from '../prepare.ts'
import { resetExternal } from '../reset-external.ts'
import { shopAddresses, type ShopAddresses } from '../shop-addresses.ts'
import { readShopSecrets } from '../shop-secrets.ts'
import { readSettings } from '../shop-settings.ts'
import { StartError } from '../start-error.ts'

interface RecoveryContext {
  env: NodeJS.ProcessEnv
  /** The last number of an order, without the shop's prefix, or 0 if only an estimate is possible. */
  lastOrder: number
  /** The last number of an invoice that was sent, or 0 where the database has it. */
  lastInvoice: number
  print: (line: string) => void
  signal: AbortSignal
}

/**
 * What a stopped shop needs after PostgreSQL was restored to a moment by other means than `npm run restore`: later
 * numbers of orders and invoices, empty streams and an empty Redis, and the events that a consumer has no receipt of.
 * Another run is harmless.
 * @throws StartError when a service is connected to the database; nothing is changed then
 */
export async function continueAfterRestore(moment: Date, context: RecoveryContext): Promise<void> {
  const { print, signal } = context
  const servers = await serversOf(context)
  try {
    const addresses = shopAddresses(servers.env)
    await skipNumbers(addresses, moment, context)
    print('Emptying streams and Redis, which are rebuilt from the database.')
    const { redis, nats, namespace } = addresses
    await resetExternal({ env: { REDIS_URL: redis, NATS_URL: nats }, namespace, print: () => {} })
    print('Looking for events that a consumer has no receipt of.')
    await recoverAllEvents(servers.env, signal)
    print(
      `Accounts and guests whose data were deleted after ${moment.toISOString()} are there again: delete them again.`,
    )
  } finally {
    await servers.stop()
  }
}

/** Services that run would have caches of what is gone, and would give out numbers meanwhile. */
async function skipNumbers(
  addresses: ShopAddresses,
  moment: Date,
  { lastOrder, lastInvoice, print }: RecoveryContext,
): Promise<void> {
  const clients = await openSchemaClients(addresses)
  try {
    for (const service of SERVICES_WITH_DATA) {
      const [role] = await connectedRoles(clients.of(service), [roleName(addresses.namespace, service)])
      if (role === undefined) continue
      throw new StartError(`The shop is running (${role} at the database): stop its services first.`)
    }
    const known = { takenAt: moment.toISOString(), lastOrder, replacesShop: false }
    const next = await skipOrderNumbers(clients.of('orders'), known)
    print(`Order numbers continue at ${next}, because earlier ones may have been used after ${moment.toISOString()}.`)
    const last = await skipInvoiceNumbers(clients.of('orders'), { lastInvoice, replacesShop: false })
    print(`The next invoice is number ${last + 1}.`)
  } finally {
    await clients.close()
  }
}

/** Starts those servers of the shop that the environment does not name, as `npm start` does. */
async function serversOf({ env, print, signal }: RecoveryContext) {
  if (env['DATABASE_URL'] && env['REDIS_URL'] && env['NATS_URL']) return { env, stop: async () => {} }
  const { dataDir } = shopAddresses(env)
  const release = await lockDataFolder(dataDir)
  try {
    const users = natsUsers(readShopSecrets(dataDir, readSettings(env)).natsPasswords)
    const servers = await startInfrastructure({ dataDir, env, print, users, signal })
    const { postgres, redis, nats } = servers
    return {
      env: { ...env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, NATS_URL: nats.url },
      stop: async () => {
        await servers.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}
