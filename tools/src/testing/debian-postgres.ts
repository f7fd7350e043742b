import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { waitFor } from '@storefront/service/testing'
import { findDebianPostgres, type PostgresPrograms } from '../infrastructure/debian-postgres.ts'
import { freePort } from '../infrastructure/free-port.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'
import { packageCache } from './global-setup.ts'

/**
 * Finds the PostgreSQL of Debian, which has another version than the one from npm.
 * @returns its programs, or as `fault` why there is none
 */
export function findPostgresOfDebian(): Promise<PostgresPrograms | { fault: string }> {
  return findDebianPostgres({ cacheDir: packageCache(), env: process.env, print: () => {} })
}

/** Starts an empty server, whose data is deleted when it stops. */
export async function startDebianPostgres({
  folder,
  libraryPath,
}: PostgresPrograms): Promise<{ url: string; stop: () => Promise<void> }> {
  const owner = findPostgresOwner(() => {})
  const env = { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraryPath }
  const options = { ...(owner && { uid: owner.uid, gid: owner.gid }), cwd: '/', stdio: 'ignore' as const, env }
  const cluster = mkdtempSync(join(tmpdir(), 'storefront-postgres-'))
  if (owner) chownSync(cluster, owner.uid, owner.gid)
  const init = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(folder, 'initdb'), init, options)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200']
  const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(join(folder, 'postgres'), args, options)
  const ended = once(server, 'exit')
  const url = `postgres://postgres:unused@127.0.0.1:${port}/postgres`
  await waitFor('PostgreSQL', async () => {
    const client = new Client({ connectionString: url })
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(cluster, { recursive: true, force: true })
    },
  }
}
