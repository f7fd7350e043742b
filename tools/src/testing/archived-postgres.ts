import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from '@storefront/service/testing'
import { fetchDebianPackage } from '../infrastructure/debian-package.ts'
import { freePort } from '../infrastructure/free-port.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'
import { withClient } from '../with-client.ts'
import { findPostgresOfDebian } from './debian-postgres.ts'
import { packageCache } from './global-setup.ts'

const run = promisify(execFile)

interface Programs {
  postgres: { folder: string; libraryPath: string }
  pgbackrest: { file: string; libraryPath: string }
}

/** A bucket that speaks the protocol of S3 over TLS. */
export interface Bucket {
  port: number
  name: string
  keyId: string
  secret: string
}

export interface ArchivedPostgres {
  url: string
  /** Seconds until the server accepted writes. */
  seconds: number
  /** Ends the server as the loss of its machine would, with its disk. */
  lose: () => Promise<void>
}

export type PostgresArchive = ReturnType<typeof makePostgresArchive>

/** @returns PostgreSQL and pgBackRest of Debian, or as `fault` why they are missing */
export async function findArchivePrograms(): Promise<Programs | { fault: string }> {
  const postgres = await findPostgresOfDebian()
  if ('fault' in postgres) return postgres
  const options = { cacheDir: packageCache(), env: process.env, print: () => {} }
  const pgbackrest = await fetchDebianPackage('pgbackrest', options)
  if ('fault' in pgbackrest) return { fault: pgbackrest.fault || 'Install pgbackrest.' }
  return { postgres, pgbackrest }
}

/** Servers, each restored from the bucket of the one before: the stanza `shop` of docs/operations.md. */
export function makePostgresArchive({ postgres, pgbackrest }: Programs, bucket: Bucket) {
  const owner = findPostgresOwner(() => {})
  const home = mkdtempSync(join(tmpdir(), 'storefront-archive-'))
  const configuration = join(home, 'pgbackrest.conf')
  for (const folder of ['log', 'lock', 'spool']) mkdirSync(join(home, folder))
  const identity = owner && { uid: owner.uid, gid: owner.gid }
  if (owner) for (const path of ['', 'log', 'lock', 'spool']) chownSync(join(home, path), owner.uid, owner.gid)
  const options = { ...identity, cwd: '/', env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: postgres.libraryPath } }
  let servers = 0

  const toolEnvironment = { PATH: process.env['PATH'], LD_LIBRARY_PATH: pgbackrest.libraryPath }
  const tool = (...args: string[]) =>
    run(pgbackrest.file, [`--config=${configuration}`, '--stanza=shop', ...args], { ...options, env: toolEnvironment })

  /** Runs a server on a folder. @returns it, accepting writes */
  async function serve(cluster: string, port: number): Promise<ArchivedPostgres> {
    const began = performance.now()
    const push = `LD_LIBRARY_PATH=${pgbackrest.libraryPath} ${pgbackrest.file} --config=${configuration} --stanza=shop`
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${dirname(cluster)}`,
      'max_connections=200',
      'archive_mode=on',
      'archive_timeout=60',
      `archive_command=${push} archive-push %p`,
    ]
    const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
    const server = spawn(join(postgres.folder, 'postgres'), args, { ...options, stdio: 'ignore' })
    const ended = once(server, 'exit')
    const url = `postgres://postgres:unused@127.0.0.1:${port}/postgres`
    await waitFor('PostgreSQL to accept writes', () => acceptsWrites(url), 120_000)
    return {
      url,
      seconds: (performance.now() - began) / 1000,
      async lose() {
        server.kill('SIGKILL')
        await ended
        rmSync(dirname(cluster), { recursive: true, force: true })
      },
    }
  }

  /** Makes the folder of a new server known to pgBackRest. */
  async function newCluster(): Promise<{ cluster: string; port: number }> {
    const serverFolder = join(home, `server-${++servers}`)
    mkdirSync(serverFolder)
    if (owner) chownSync(serverFolder, owner.uid, owner.gid)
    const cluster = join(serverFolder, 'data')
    const port = await freePort()
    writeFileSync(configuration, configurationOf({ home, bucket, cluster, port }), { mode: 0o600 })
    if (owner) chownSync(configuration, owner.uid, owner.gid)
    return { cluster, port }
  }

  return {
    /** Starts an empty server that archives to the bucket, and makes a first base backup. */
    async start() {
      const { cluster, port } = await newCluster()
      const init = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
      await run(join(postgres.folder, 'initdb'), init, options)
      const server = await serve(cluster, port)
      await tool('stanza-create')
      await tool('--type=full', '--start-fast', 'backup')
      return server
    },
    /** Starts a new server, restored from the bucket to a moment. */
    async restoreTo(moment: Date): Promise<ArchivedPostgres> {
      const began = performance.now()
      const { cluster, port } = await newCluster()
      await tool(
        '--type=time',
        `--target=${moment.toISOString().replace('T', ' ').replace('Z', '+00')}`,
        '--target-action=promote',
        'restore',
      )
      const server = await serve(cluster, port)
      return { ...server, seconds: (performance.now() - began) / 1000 }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

function acceptsWrites(url: string): Promise<boolean> {
  return withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return rows[0]?.standby === false
  })
}

/** The configuration of docs/operations.md, for a bucket and a server on this machine. */
function configurationOf(about: { home: string; bucket: Bucket; cluster: string; port: number }): string {
  const { home, bucket, cluster, port } = about
  return `[global]
repo1-type=s3
repo1-path=/shop
repo1-s3-bucket=${bucket.name}
repo1-s3-endpoint=127.0.0.1
repo1-storage-port=${bucket.port}
repo1-storage-verify-tls=n
repo1-s3-uri-style=path
repo1-s3-region=us-east-1
repo1-s3-key=${bucket.keyId}
repo1-s3-key-secret=${bucket.secret}
repo1-retention-full=2
compress-type=lz4
log-path=${join(home, 'log')}
lock-path=${join(home, 'lock')}
spool-path=${join(home, 'spool')}

[shop]
pg1-path=${cluster}
pg1-port=${port}
pg1-socket-path=${dirname(cluster)}
pg1-user=postgres
`
}
