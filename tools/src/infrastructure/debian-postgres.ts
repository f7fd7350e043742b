import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FetchOptions } from './apt.ts'
import { fetchDebianPackage } from './debian-package.ts'
import { installedPrograms } from './installed-programs.ts'

export interface PostgresPrograms {
  /** The folder of the programs of one version. */
  folder: string
  libraryPath: string
}

/**
 * Finds the PostgreSQL of Debian, installed or unpacked, with the programs for replication that the one from npm lacks.
 * @returns its programs, or as `fault` why there is none
 */
export async function findDebianPostgres(options: FetchOptions): Promise<PostgresPrograms | { fault: string }> {
  const installed = installedPrograms('postgres', options.env)
    .map((file) => dirname(realpathSync(file)))
    .find(hasReplicationPrograms)
  if (installed !== undefined) return { folder: installed, libraryPath: '' }
  const fetched = await fetchDebianPackage('postgresql', options)
  if ('fault' in fetched) return { fault: fetched.fault || 'Install PostgreSQL below /usr/lib/postgresql.' }
  return { folder: dirname(fetched.file), libraryPath: fetched.libraryPath }
}

function hasReplicationPrograms(folder: string): boolean {
  return ['initdb', 'pg_basebackup', 'pg_rewind'].every((program) => existsSync(join(folder, program)))
}
