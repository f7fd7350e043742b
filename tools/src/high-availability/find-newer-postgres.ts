import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { FetchOptions } from '../infrastructure/apt.ts'
import { fetchDebianPackage } from '../infrastructure/debian-package.ts'
import type { PostgresPrograms } from '../infrastructure/debian-postgres.ts'

const run = promisify(execFile)

/**
 * Finds a newer minor version of PostgreSQL in the package archive, and prints what an upgrade will do.
 * @param present the one to upgrade from
 * @returns undefined when the archive has no newer one
 */
export async function findNewerPostgres(
  present: PostgresPrograms,
  options: FetchOptions,
): Promise<PostgresPrograms | undefined> {
  const fetched = await fetchDebianPackage('postgresql', options)
  if (!('fault' in fetched)) {
    const newer = { folder: dirname(fetched.file), libraryPath: fetched.libraryPath }
    const [from, to] = [await versionOf(present), await versionOf(newer)]
    if (to.major === from.major && to.minor > from.minor) {
      options.print(`PostgreSQL is upgraded from ${from.major}.${from.minor} to ${to.major}.${to.minor} and back.`)
      return newer
    }
  }
  options.print('The upgrade of PostgreSQL restarts the same version: the archive has no newer minor version.')
  return undefined
}

/** `postgres` prints its version in another way than other servers, see program-trial.ts. */
async function versionOf({ folder, libraryPath }: PostgresPrograms): Promise<{ major: number; minor: number }> {
  const { stdout } = await run(join(folder, 'postgres'), ['--version'], { env: { LD_LIBRARY_PATH: libraryPath } })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  return { major: Number(major), minor: Number(minor) }
}
