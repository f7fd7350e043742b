import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServiceName } from '@storefront/contracts'
import { forEachService } from './for-each-service.ts'
import { serviceDatabaseUrls, SERVICES_WITH_DATA, type PrepareOptions } from './prepare.ts'
import { shopDatabaseUrl } from './with-client.ts'

const run = promisify(execFile)

/**
 * Runs the migrate step of another version of this repository.
 * @param folder its sources with their packages
 * @returns the address of the database with the role of each service
 */
export async function prepareOtherVersion(
  folder: string,
  options: Omit<PrepareOptions, 'ownDatabaseUrls'>,
): Promise<Record<ServiceName, string>> {
  const { adminDatabaseUrl, natsUrl, namespace, rolePasswords, env, print = () => {} } = options
  const passwords = Object.fromEntries(
    SERVICES_WITH_DATA.map((name) => [`${name.toUpperCase()}_DATABASE_PASSWORD`, rolePasswords[name]]),
  )
  const { stdout } = await run(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(folder, 'tools/src/migrate.ts')],
    {
      env: {
        DATABASE_URL: adminDatabaseUrl,
        NATS_URL: natsUrl,
        NAMESPACE: namespace,
        NATS_REPLICAS: env['NATS_REPLICAS'],
        STREAM_MAX_BYTES: env['STREAM_MAX_BYTES'],
        ...passwords,
      },
    },
  )
  for (const line of stdout.trim().split('\n')) print(line)
  return serviceDatabaseUrls(
    forEachService(() => shopDatabaseUrl(adminDatabaseUrl, namespace)),
    options,
  )
}
