import { createSchemaAt, migrateSchema } from '@storefront/postgres'
import type { ServiceName } from '@storefront/contracts'
import { escapeIdentifier } from 'pg'
import { inject } from 'vitest'
import { migrationsDirectory } from '../prepare.ts'
import { urlOfDatabase, withClient } from '../with-client.ts'
import type { Suite } from './suite.ts'

/**
 * Creates the schema of a service as of an earlier migration, fills it, and runs the later migrations.
 * The service must not be running.
 * @param options.before name of the first migration that runs after `fill`
 * @returns names of the migrations that ran
 */
export async function migrateFrom(
  suite: Suite,
  service: ServiceName,
  options: { before: string; fill: () => Promise<void> },
): Promise<string[]> {
  const { username: role, password: rolePassword } = new URL(suite.databaseUrl(service))
  const adminUrl = urlOfDatabase(inject('servers').databaseAdminUrl, suite.namespace)
  const directory = migrationsDirectory(service)
  const all = await suite.sql<{ name: string; checksum: string }>(
    `select name, checksum from ${escapeIdentifier(service)}.migrations`,
  )
  const later = all.filter(({ name }) => name >= options.before)
  const applied = Object.fromEntries(all.filter((one) => !later.includes(one)).map((one) => [one.name, one.checksum]))
  await withClient({ connectionString: adminUrl }, async (client) => {
    await client.query('begin')
    await client.query(`drop schema ${escapeIdentifier(service)} cascade`)
    await createSchemaAt(client, { schema: service, directory, applied })
    await client.query('commit')
  })
  await options.fill()
  return migrateSchema({ adminUrl, schema: service, role, rolePassword, directory })
}
