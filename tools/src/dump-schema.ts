import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { migrateSchema } from '@storefront/postgres'
import type { ServiceName } from '@storefront/contracts'
import { describeSchema } from './describe-schema.ts'
import { startPostgres } from './infrastructure/index.ts'
import { migrationsDirectory, roleName, SERVICES_WITH_DATA } from './prepare.ts'
import { messageOf, StartError } from './start-error.ts'
import { packageCache } from './testing/global-setup.ts'

const help = `npm run schema               updates services/*/schema.sql
npm run schema -- --check    only lists those that are out of date

Uses the PostgreSQL at DATABASE_URL, as a user that may create databases and roles; without DATABASE_URL it starts one.
Works in a database of its own, which it deletes afterwards.
`

const repository = resolve(import.meta.dirname, '../..')

/** Migrates an empty database and describes each service's schema in it. */
async function describeAll(adminUrl: string): Promise<Map<ServiceName, string>> {
  const namespace = `schema${randomBytes(5).toString('hex')}`
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${escapeIdentifier(namespace)}`)
    const url = new URL(adminUrl)
    url.pathname = `/${namespace}`
    return await describeDatabase(url.href, namespace)
  } finally {
    await admin.query(`drop database if exists ${escapeIdentifier(namespace)} with (force)`)
    for (const service of SERVICES_WITH_DATA) {
      await admin.query(`drop role if exists ${escapeIdentifier(roleName(namespace, service))}`)
    }
    await admin.end()
  }
}

async function describeDatabase(url: string, namespace: string): Promise<Map<ServiceName, string>> {
  const described = new Map<ServiceName, string>()
  for (const service of SERVICES_WITH_DATA) {
    const role = roleName(namespace, service)
    const rolePassword = randomBytes(12).toString('hex')
    await migrateSchema({ adminUrl: url, schema: service, role, rolePassword, directory: migrationsDirectory(service) })
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      described.set(service, await describeSchema(client, service, role))
    } finally {
      await client.end()
    }
  }
  return described
}

async function withPostgres<Result>(work: (adminUrl: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-schema-'))
  try {
    const postgres = await startPostgres({ dataDir, cacheDir: packageCache(), env: process.env, print: () => {} })
    try {
      return await work(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** @returns paths of the dumps that differ from the migrations */
async function dump(check: boolean): Promise<string[]> {
  const stale: string[] = []
  for (const [service, text] of await withPostgres(describeAll)) {
    const path = join(repository, 'services', service, 'schema.sql')
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
    stale.push(relative(repository, path))
    if (!check) await writeFile(path, text)
  }
  return stale
}

const [argument, ...more] = process.argv.slice(2)
try {
  if (argument === '--help' || argument === '-h') process.stdout.write(help)
  else if (more.length > 0 || (argument !== undefined && argument !== '--check')) {
    throw new StartError(`${[argument, ...more].join(' ')} is an unknown argument: see npm run schema -- --help.`)
  } else {
    const check = argument === '--check'
    const stale = await dump(check)
    for (const path of stale) process.stdout.write(check ? `${path} is out of date\n` : `${path} written\n`)
    if (stale.length === 0) process.stdout.write('Every schema.sql is up to date.\n')
    else if (check) throw new StartError('Run npm run schema.')
  }
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : `The dump failed: ${messageOf(error)}`}\n`)
  process.exitCode = 1
}
