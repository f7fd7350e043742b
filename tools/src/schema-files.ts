import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { format } from 'oxfmt'
import { escapeIdentifier } from 'pg'
import { migrateSchema } from '@storefront/postgres'
import { describeSchema } from './describe-schema.ts'
import { describeTables } from './describe-tables.ts'
import { migrationsDirectory, roleName, SERVICES_WITH_DATA } from './prepare.ts'
import { urlOfDatabase, withClient } from './with-client.ts'

export { typeOfValue } from './describe-tables.ts'

const repository = resolve(import.meta.dirname, '../..')

/** A database with the schema of every service and no rows. */
interface MigratedDatabase {
  /** With the rights of the administrator. */
  url: string
  namespace: string
  /** Deletes it and its roles. */
  drop(): Promise<void>
}

/** @param adminUrl a role that may create databases and roles */
export async function createMigratedDatabase(adminUrl: string): Promise<MigratedDatabase> {
  const namespace = `schema${randomBytes(5).toString('hex')}`
  const server = { connectionString: adminUrl }
  const url = urlOfDatabase(adminUrl, namespace)
  const drop = () =>
    withClient(server, async (admin) => {
      await admin.query(`drop database if exists ${escapeIdentifier(namespace)} with (force)`)
      for (const service of SERVICES_WITH_DATA) {
        await admin.query(`drop role if exists ${escapeIdentifier(roleName(namespace, service))}`)
      }
    })
  try {
    await withClient(server, (admin) => admin.query(`create database ${escapeIdentifier(namespace)}`))
    for (const service of SERVICES_WITH_DATA) {
      await migrateSchema({
        adminUrl: url,
        schema: service,
        role: roleName(namespace, service),
        rolePassword: randomBytes(12).toString('hex'),
        directory: migrationsDirectory(service),
      })
    }
  } catch (error) {
    await drop()
    throw error
  }
  return { url, namespace, drop }
}

/** The files made from the migrations that are not up to date: their new text by their path from the root. */
export async function findStaleFiles({ url, namespace }: MigratedDatabase): Promise<Map<string, string>> {
  const stale = new Map<string, string>()
  await withClient({ connectionString: url }, async (client) => {
    for (const service of SERVICES_WITH_DATA) {
      const folder = join('services', service)
      const texts = {
        [join(folder, 'schema.sql')]: await describeSchema(client, service, roleName(namespace, service)),
        [join(folder, 'src/tables.ts')]: await formatted(await describeTables(client, service, await declared(folder))),
      }
      for (const [path, text] of Object.entries(texts)) {
        if ((await readFile(join(repository, path), 'utf8').catch(() => '')) !== text) stale.set(path, text)
      }
    }
  })
  return stale
}

/** The columns whose types a service declares by hand. */
async function declared(folder: string): Promise<Set<string>> {
  const code = await readFile(join(repository, folder, 'src/column-types.ts'), 'utf8').catch(() => '')
  return new Set([...code.matchAll(/^  '(\w+\.\w+)': /gm)].flatMap(([, column]) => column ?? []))
}

async function formatted(code: string): Promise<string> {
  // As in .oxfmtrc.json: otherwise `npm run format` rejects the file.
  return (await format('tables.ts', code, { semi: false, singleQuote: true, printWidth: 120 })).code
}
