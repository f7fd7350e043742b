import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { waitFor } from '@storefront/chassis/testing'
import { fetchDebianPackage } from '../infrastructure/debian-package.ts'
import { freePort } from '../infrastructure/free-port.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'
import { packageCache } from './global-setup.ts'

const FOLDER = '/usr/lib/postgresql'

export interface PostgresPrograms {
  /** With server and pg_dump of one version. */
  folder: string
  libraryPath: string
}

/**
 * PostgreSQL as Debian has it, installed or unpacked: the one from npm has no pg_dump.
 * @returns why there is none, where there is none
 */
export async function findPostgresWithTools(): Promise<PostgresPrograms | { fault: string }> {
  const installed = existsSync(FOLDER) ? readdirSync(FOLDER).map((version) => join(FOLDER, version, 'bin')) : []
  const folder = installed.find(isWhole)
  if (folder !== undefined) return { folder, libraryPath: '' }
  const options = { cacheDir: packageCache(), env: process.env, say: () => {} }
  const fetched = await fetchDebianPackage('postgresql', options)
  if (!('file' in fetched))
    return { fault: fetched.fault || 'Install PostgreSQL with its pg_dump below /usr/lib/postgresql.' }
  const unpacked = { folder: dirname(fetched.file), libraryPath: fetched.libraryPath }
  return isWhole(unpacked.folder) ? unpacked : { fault: 'The Debian package postgresql came without its pg_dump.' }
}

function isWhole(folder: string): boolean {
  return ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name)))
}

/** Starts an empty server, whose data is thrown away. */
export async function startPostgresWithTools({
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
