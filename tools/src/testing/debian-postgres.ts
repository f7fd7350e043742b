import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@storefront/service/testing'
import { findDebianPostgres, type PostgresPrograms } from '../infrastructure/debian-postgres.ts'
import { freePort } from '../infrastructure/free-port.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'
import { withClient } from '../with-client.ts'
import { packageCache } from './global-setup.ts'

/**
 * Finds the PostgreSQL of Debian, which has another version than the one from npm.
 * @returns its programs, or as `fault` why there is none
 */
export function findPostgresOfDebian(): Promise<PostgresPrograms | { fault: string }> {
  return findDebianPostgres({ cacheDir: packageCache(), env: process.env, print: () => {} })
}

export interface DebianPostgres {
  url: string
  port: number
  stop: () => Promise<void>
}

/**
 * Starts an empty server, whose data is deleted when it stops.
 * @param settings beyond those of every test server, such as `archive_mode=on`
 */
export async function startDebianPostgres(
  programs: PostgresPrograms,
  settings: readonly string[] = [],
): Promise<DebianPostgres> {
  const cluster = makeCluster()
  const init = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs.folder, 'initdb'), init, processOptions(programs))
  return startCluster(programs, cluster, settings)
}

/**
 * Starts a standby of a server that `startDebianPostgres` started, with a base backup and a replication slot of its
 * name. Its data is deleted when it stops.
 * @param name a lower-case word
 */
export async function startDebianStandby(
  programs: PostgresPrograms,
  primary: { port: number },
  name: string,
): Promise<DebianPostgres> {
  const cluster = makeCluster()
  const address = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`
  const copy = ['-D', cluster, '-d', address, '--checkpoint=fast', '--no-sync', '--create-slot', '--slot', name, '-R']
  execFileSync(join(programs.folder, 'pg_basebackup'), copy, processOptions(programs))
  return startCluster(programs, cluster, [])
}

function makeCluster(): string {
  const owner = findPostgresOwner(() => {})
  const cluster = mkdtempSync(join(tmpdir(), 'storefront-postgres-'))
  if (owner) chownSync(cluster, owner.uid, owner.gid)
  return cluster
}

function processOptions({ libraryPath }: PostgresPrograms) {
  const owner = findPostgresOwner(() => {})
  const env = { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraryPath }
  return { ...(owner && { uid: owner.uid, gid: owner.gid }), cwd: '/', stdio: 'ignore' as const, env }
}

async function startCluster(
  programs: PostgresPrograms,
  cluster: string,
  more: readonly string[],
): Promise<DebianPostgres> {
  const port = await freePort()
  const common = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200']
  const args = ['-D', cluster, '-p', String(port), ...[...common, ...more].flatMap((setting) => ['-c', setting])]
  const server = spawn(join(programs.folder, 'postgres'), args, processOptions(programs))
  const ended = once(server, 'exit')
  const url = `postgres://postgres:unused@127.0.0.1:${port}/postgres`
  await waitFor('PostgreSQL', () => withClient({ connectionString: url }, async () => true))
  return {
    url,
    port,
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(cluster, { recursive: true, force: true })
    },
  }
}
