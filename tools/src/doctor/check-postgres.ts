import { compareMigrations } from '@storefront/postgres'
import { DatabaseError, type Client } from 'pg'
import { Reconciliation } from '@storefront/contracts'
import { serverVersion, unfinishedRestore } from '../backup/backup.queries.ts'
import { ledgerFaults } from '../ledger.queries.ts'
import { OWN_DATABASE_VARIABLES } from '../own-databases.ts'
import { migrationsDirectory, roleName, SERVICES_WITH_DATA } from '../prepare.ts'
import { messageOf, StartError } from '../start-error.ts'
import { withClient } from '../with-client.ts'
import { checkReplication } from './check-replication.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { compareClocks } from './compare-clocks.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, MIGRATE, ok, warn, type Finding } from './finding.ts'
import * as queries from './postgres.queries.ts'

const LEAST_VERSION = 15
const DEADLINE_MS = 5000
const LEDGER_DEADLINE_MS = 60_000
const LATE_MS = 60_000
const VERY_LATE_MS = 600_000
const RECONCILED_WITHIN_MS = 15 * 60_000

type ServiceWithData = (typeof SERVICES_WITH_DATA)[number]

/** Checks each server that has schemas of the shop: connection, version and clock, then their content. */
export async function checkPostgres(context: DoctorContext): Promise<Finding[]> {
  const { addresses } = context
  try {
    const servers = [...Map.groupBy(SERVICES_WITH_DATA, (service) => addresses.databaseOf(service))]
    const found = await Promise.all(
      servers.map(async ([url, services]) => {
        const findings = await checkServer(context, url, services)
        // Findings about one of several servers say which.
        return servers.length === 1 ? findings : findings.map((finding) => ofServer(finding, services))
      }),
    )
    return found.flat()
  } catch (error) {
    if (error instanceof StartError) return [fault('PostgreSQL', 'not found', error.message)]
    throw error
  }
}

function ofServer(finding: Finding, services: readonly ServiceWithData[]): Finding {
  return { ...finding, check: `${finding.check} (server of ${services.join(', ')})` }
}

async function checkServer(
  context: DoctorContext,
  url: string,
  services: readonly ServiceWithData[],
): Promise<Finding[]> {
  const deadlines = { connectionTimeoutMillis: DEADLINE_MS, query_timeout: LEDGER_DEADLINE_MS }
  try {
    return await withClient({ connectionString: url, application_name: 'doctor', ...deadlines }, async (client) => {
      // This connection is read-only.
      await client.query('set default_transaction_read_only = on')
      return [...(await checkEngine(client, context)), ...(await checkSchemas(client, context, services))]
    })
  } catch (error) {
    const [service] = services
    const isOwn = service !== undefined && context.addresses.ownDatabaseUrls[service] !== undefined
    return [unreachable(error, isOwn ? OWN_DATABASE_VARIABLES[service] : 'DATABASE_URL')]
  }
}

function unreachable(error: unknown, variable: string): Finding {
  const check = 'PostgreSQL'
  const code = error instanceof DatabaseError ? error.code : undefined
  if (code === '28P01' || code === '28000') {
    return fault(
      check,
      'rejects the password',
      `Put the right user and password into ${variable}, or restore secrets.json.`,
    )
  }
  if (code === '3D000') return fault(check, 'the database of the shop is not there', MIGRATE)
  if (code === '53300')
    return fault(check, 'has no connection left', 'Raise max_connections, or lower DATABASE_POOL of the services.')
  return fault(
    check,
    `does not respond (${messageOf(error)})`,
    `Start PostgreSQL (npm start does), or correct ${variable}.`,
  )
}

async function checkEngine(client: Client, context: DoctorContext): Promise<Finding[]> {
  const version = await serverVersion(client)
  return [
    version >= LEAST_VERSION
      ? ok('PostgreSQL', `version ${version}`)
      : fault('PostgreSQL', `version ${version}`, `Move the database to PostgreSQL ${LEAST_VERSION} or later.`),
    await compareClocks('PostgreSQL', context.clock, () => queries.serverTimeMs(client)),
    await connections(client),
    ...(await checkReplication(client, context)),
  ]
}

async function checkSchemas(
  client: Client,
  context: DoctorContext,
  services: readonly ServiceWithData[],
): Promise<Finding[]> {
  const { clock, addresses } = context
  const schemas = await queries.schemasWithMigrations(client)
  const unfinished = await unfinishedRestore(client)
  const findings: Finding[] = []
  if (unfinished !== null) {
    const { folder } = unfinished
    findings.push(fault('restore', `that of ${folder} was not finished`, `Run npm run restore -- ${folder} again.`))
  }
  for (const service of services) {
    findings.push(
      schemas.includes(service)
        ? await migrationsOf(client, service)
        : fault(`migrations of ${service}`, 'never ran', MIGRATE),
    )
  }
  if (findings.some(({ state }) => state === 'fault')) return findings
  for (const service of services) {
    findings.push(await role(client, roleName(addresses.namespace, service), service))
    findings.push(await outbox(client, service, clock.now()))
  }
  const ofSchema: [ServiceWithData, () => Promise<Finding[]>][] = [
    ['identity', async () => [await secretsKey(client, context)]],
    ['catalog', async () => [await ledger(client)]],
    ['orders', async () => [await reconciliation(client, clock.now())]],
    ['notifier', () => checkWebhooks(client, context.shop && new Date(context.shop.startedAt), clock)],
  ]
  for (const [service, check] of ofSchema) if (services.includes(service)) findings.push(...(await check()))
  return findings
}

async function connections(client: Client): Promise<Finding> {
  const { used, most } = await queries.connections(client)
  const found = `${used} of ${most} in use`
  if (used < most * 0.8) return ok('connections', found)
  return warn('connections', found, 'Raise max_connections, or lower DATABASE_POOL of the services.')
}

async function migrationsOf(client: Client, service: ServiceWithData): Promise<Finding> {
  const check = `migrations of ${service}`
  const { missing, changed, unknown } = await compareMigrations(client, service, migrationsDirectory(service))
  if (changed.length > 0) {
    return fault(
      check,
      `changed after they ran: ${changed.join(', ')}`,
      'Restore these files and write a new migration.',
    )
  }
  if (missing.length > 0) return fault(check, `missing: ${missing.join(', ')}`, MIGRATE)
  if (unknown.length > 0) {
    return fault(check, `newer than this code: ${unknown.join(', ')}`, 'Deploy the version of the shop that has them.')
  }
  return ok(check, 'all ran')
}

async function role(client: Client, name: string, schema: string): Promise<Finding> {
  const check = `role ${name}`
  const rights = await queries.rightsOf(client, name, schema, SERVICES_WITH_DATA)
  if (rights === undefined) return fault(check, 'is not there', MIGRATE)
  const surplus = [
    ...(rights.isSuperuser ? ['superuser'] : []),
    ...rights.foreignSchemas.map((other) => `schema ${other}`),
  ]
  if (surplus.length > 0) {
    return fault(
      check,
      `has too many rights: ${surplus.join(', ')}`,
      `Revoke these rights from ${name}: an attacker inside one service must reach only its data.`,
    )
  }
  return ok(check, `may use only ${schema}`)
}

async function outbox(client: Client, service: string, now: Date): Promise<Finding> {
  const check = `outbox of ${service}`
  const { count, oldestAt } = await queries.outbox(client, service)
  if (oldestAt === null) return ok(check, 'empty')
  const ageMs = now.getTime() - new Date(oldestAt).getTime()
  const found = `${count} wait, the oldest for ${Math.max(0, Math.round(ageMs / 1000))} s`
  if (ageMs < LATE_MS) return ok(check, found)
  const advice = `Check NATS and its streams, and the log of ${service} for an event that cannot be published.`
  return ageMs < VERY_LATE_MS ? warn(check, found, advice) : fault(check, found, advice)
}

async function secretsKey(client: Client, { env, shop }: DoctorContext): Promise<Finding> {
  const encrypted = await queries.encryptedCredentials(client)
  if (encrypted === 0) return ok('SECRETS_KEY', 'nothing is encrypted with it yet')
  if (env['SECRETS_KEY'] || shop?.hasSecretsKey)
    return ok('SECRETS_KEY', `set, and ${encrypted} credentials are encrypted`)
  return warn(
    'SECRETS_KEY',
    `${encrypted} credentials are encrypted, and it is not set here`,
    'Set SECRETS_KEY to the key they were encrypted with wherever identity, orders and notifier run, or enter the credentials again.',
  )
}

async function ledger(client: Client): Promise<Finding> {
  const { rows } = await client.query(ledgerFaults)
  if (rows.length === 0) return ok('ledger', 'stock, movements and reservations agree')
  return fault(
    'ledger',
    `${rows.length} variants do not add up`,
    'See the finding `ledger` in docs/reconciliation.md, and correct the stock of these variants.',
  )
}

async function reconciliation(client: Client, now: Date): Promise<Finding> {
  const check = 'reconciliation'
  const read = Reconciliation.safeParse(await queries.reconciliationReport(client))
  if (!read.success || read.data.checkedAt === null) return ok(check, 'none yet')
  const { total, checkedAt } = read.data
  if (total > 0)
    return fault(check, `${total} findings`, 'Read them at GET /admin/reconciliation: each has an instruction.')
  if (now.getTime() - new Date(checkedAt).getTime() > RECONCILED_WITHIN_MS) {
    return warn(
      check,
      `has not run since ${checkedAt}`,
      'Check whether orders runs, because it runs the reconciliation every five minutes.',
    )
  }
  return ok(check, 'nothing open')
}
