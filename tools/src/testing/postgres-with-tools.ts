import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { waitFor } from '@storefront/chassis/testing'
import { freePort } from '../infrastructure/free-port.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'

const FOLDER = '/usr/lib/postgresql'

/** Where Debian's PostgreSQL lies with server and pg_dump of one version; the one from npm has no pg_dump. */
export function postgresFolder(): string | undefined {
  if (!existsSync(FOLDER)) return undefined
  const folders = readdirSync(FOLDER).map((version) => join(FOLDER, version, 'bin'))
  return folders.find((folder) => ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))))
}

/** Starts an empty server of that installation, whose data is thrown away. */
export async function startPostgresWithTools(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const owner = findPostgresOwner(() => {})
  const ids = owner && { uid: owner.uid, gid: owner.gid }
  const cluster = mkdtempSync(join(tmpdir(), 'storefront-postgres-'))
  if (ids) chownSync(cluster, ids.uid, ids.gid)
  const init = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(folder, 'initdb'), init, { ...ids, cwd: '/', stdio: 'ignore' })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200']
  const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(join(folder, 'postgres'), args, { ...ids, cwd: '/', stdio: 'ignore' })
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
