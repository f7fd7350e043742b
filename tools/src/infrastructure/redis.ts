import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import { readSecret } from '../secrets.ts'
import { chooseKind } from './choose-kind.ts'
import { runInDocker } from './docker.ts'
import { runOnMachine } from './machine-server.ts'
import { findProgram } from './program.ts'
import { givenServer, type RunningServer, type ServerOptions } from './running-server.ts'
import { withRedis } from './with-redis.ts'

const image = 'redis:8-alpine'

/**
 * Hashes with longer values take more memory. The price projection of a variant takes some 400 bytes; the default is
 * 64.
 */
const compactValueBytes = '1024'

/** Starts a Redis (or Valkey) that keeps its data across restarts, or uses REDIS_URL. */
export async function startRedis(options: ServerOptions): Promise<RunningServer> {
  const given = await givenServer(options, { variable: 'REDIS_URL', wanted: 'usable Redis', check })
  return given ?? chooseKind(options, { name: 'redis', inDocker: startInDocker, onMachine: startOnMachine })
}

const common = ({ dataDir, print }: ServerOptions) =>
  ({ name: 'redis', title: 'Redis', dataDir, print, stopSignal: 'SIGTERM', check }) as const

async function startOnMachine(options: ServerOptions): Promise<RunningServer> {
  const { dataDir } = options
  const program = await findProgram(
    { title: 'Redis', name: 'redis-server', alternatives: ['valkey-server'], least: [7, 0], variable: 'REDIS_URL' },
    options,
  )
  const folder = join(dataDir, 'redis')
  const configuration = join(folder, 'redis.conf')
  const password = readSecret(dataDir, 'redisPassword')
  makeFolder(folder)
  return runOnMachine({
    ...common(options),
    source: program.source,
    urlFor: (port) => urlFor(port, password),
    commandFor: (port) => {
      const settings = { bind: '127.0.0.1', port: String(port), dir: folder, requirepass: password }
      writeFileAtomically(configuration, configurationOf(settings))
      return { file: program.file, args: [configuration], env: { LC_ALL: 'C', LD_LIBRARY_PATH: program.libraryPath } }
    },
  })
}

async function startInDocker(options: ServerOptions): Promise<RunningServer> {
  const password = readSecret(options.dataDir, 'redisPassword')
  const content = configurationOf({ bind: '*', dir: '/data', requirepass: password })
  return runInDocker({
    ...common(options),
    image,
    containerPort: 6379,
    volumeTarget: '/data',
    files: [{ content, target: '/etc/storefront-redis.conf' }],
    command: ['redis-server', '/etc/storefront-redis.conf'],
    urlFor: (port, host) => urlFor(port, password, host),
  })
}

function configurationOf(settings: Record<string, string>): string {
  const all = {
    'protected-mode': 'yes',
    daemonize: 'no',
    appendonly: 'yes',
    save: '""',
    'hash-max-listpack-value': compactValueBytes,
    ...settings,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name} ${name === 'dir' ? `"${value}"` : value}\n`)
    .join('')
}

function urlFor(port: number, password: string, host = '127.0.0.1'): string {
  return `redis://:${password}@${host}:${port}`
}

/** Rejects also while the append-only file is still being read. */
async function check(url: string): Promise<void> {
  await withRedis(url, { timeoutMs: 5_000 }, (redis) => redis.ping())
}
