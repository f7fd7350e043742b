import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { natsUsers, type ServiceName } from '@storefront/contracts'
import { forEachService } from '../for-each-service.ts'
import { startInfrastructure } from '../infrastructure/index.ts'
import { isAlive } from '../infrastructure/process-identity.ts'
import { readSecret } from '../secrets.ts'
import { withClient } from '../with-client.ts'

/** What the suites of one run share: one PostgreSQL, one Redis, one NATS. Each suite has its own namespace in them. */
export interface SharedServers {
  databaseAdminUrl: string
  redisUrl: string
  natsAdminUrl: string
  natsUrls: Record<ServiceName, string>
  cacheDir: string
  /** For files of suites; in memory where that has room, and deleted at the end of the run. */
  temporary: string
}

declare module 'vitest' {
  interface ProvidedContext {
    servers: SharedServers
  }
}

/** Settings for speed: the data of this server is thrown away. Tests that kill PostgreSQL have their own server. */
const WITHOUT_DURABILITY = {
  fsync: 'off',
  // When a database is dropped, PostgreSQL scans all of them.
  shared_buffers: '128MB',
  full_page_writes: 'off',
  // Compression of what is never read took a twentieth of its CPU time.
  wal_compression: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  scram_iterations: '1',
  // Autovacuum would visit each of a hundred databases every minute, most of which live for seconds.
  autovacuum_naptime: '10min',
  max_connections: '400',
  // A connection plans each statement once, instead of five times: most of them live for seconds.
  plan_cache_mode: 'force_generic_plan',
}

/** A folder in memory, on Linux: copying a database takes a third of the time there. */
const IN_MEMORY = '/dev/shm'
const ROOM_FOR_DATA = 4 * 1024 ** 3
const PREFIX = 'storefront-test-'

interface RunningServers {
  servers: SharedServers
  stop: () => Promise<void>
}

/** The runs of one process share servers, as the groups of `npm test` do. */
let running: Promise<RunningServers> | undefined
let runs = 0

/** Starts the servers before the first test and stops them after the last. Their data is thrown away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  runs++
  running ??= startServers()
  const { servers, stop } = await running
  project.provide('servers', servers)
  return async () => {
    if (--runs > 0) return
    running = undefined
    await stop()
  }
}

async function startServers(): Promise<RunningServers> {
  runAsBatchJob()
  const folder = await folderInMemory()
  await deleteLeftovers(folder)
  const dataDir = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`))
  const temporary = join(dataDir, 'suites')
  await mkdir(temporary)
  const cacheDir = packageCache()
  const infrastructure = await startInfrastructure({
    dataDir,
    cacheDir,
    env: process.env,
    print: () => {},
    users: natsUsers(forEachService((service) => readSecret(dataDir, `natsPassword.${service}`))),
    settings: { postgres: WITHOUT_DURABILITY },
  })
  if (process.env['DATABASE_URL'] === undefined) await acceptPlainPasswords(infrastructure.postgres.url)
  return {
    servers: {
      databaseAdminUrl: infrastructure.postgres.url,
      redisUrl: infrastructure.redis.url,
      natsAdminUrl: infrastructure.nats.url,
      natsUrls: forEachService((service) => infrastructure.nats.urlFor(service)),
      cacheDir,
      temporary,
    },
    stop: async () => {
      await infrastructure.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Lets clients of this server, which is reached on this machine alone, send their passwords as they are: a challenge
 * takes a client 1.7 ms of CPU time, nearly half of what it needs to connect, and a run connects thousands of times.
 */
async function acceptPlainPasswords(url: string): Promise<void> {
  await withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ file: string }>(`select quote_literal(current_setting('hba_file')) as file`)
    await client.query(`copy (values ('host all all all password')) to ${rows[0]?.file}`)
    await client.query('select pg_reload_conf()')
  })
}

/**
 * Lets this process and those it starts use a processor for longer at a time, as the scheduler of Linux does for batch
 * jobs: half the interruptions, and a twentieth less CPU time. Other systems lack the command and do without.
 */
function runAsBatchJob(): void {
  spawnSync('chrt', ['--batch', '--all-tasks', '--pid', '0', String(process.pid)], { stdio: 'ignore' })
}

/**
 * @returns where files are in memory, when there is room for the databases of all tests; otherwise the folder for
 * temporary files
 */
async function folderInMemory(): Promise<string> {
  const free = await statfs(IN_MEMORY).catch(() => undefined)
  return free && free.bavail * free.bsize > ROOM_FOR_DATA ? IN_MEMORY : tmpdir()
}

/** Deletes the data of runs that were killed, which would occupy memory until the machine restarts. */
async function deleteLeftovers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-', 1)[0])
    if (!Number.isInteger(pid) || isAlive(pid, undefined)) continue
    await rm(join(folder, name), { recursive: true }).catch(() => {}) // It belongs to another user.
  }
}

/** Unpacked server programs and compiled code are kept between runs, so that only the first one needs the network. */
export function packageCache(): string {
  return join(tmpdir(), 'storefront-packages')
}
