import { jetstreamManager } from '@nats-io/jetstream'
import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import { readSecret } from '../secrets.ts'
import { chooseKind } from './choose-kind.ts'
import { runInDocker } from './docker.ts'
import { runOnMachine } from './machine-server.ts'
import { natsConfiguration, type NatsUser } from './nats-configuration.ts'
import { findProgram } from './program.ts'
import { givenServer, type RunningServer, type ServerOptions } from './running-server.ts'
import { withNats } from './with-nats.ts'

export interface RunningNats extends RunningServer {
  urlFor(userName: string): string
}

type NatsOptions = ServerOptions & { users: NatsUser[] }

const image = 'nats:2-alpine'
const administrator = 'launcher'

/** Starts NATS with JetStream, or uses NATS_URL. @returns it with the `url` of a user that may do everything */
export async function startNats(options: NatsOptions): Promise<RunningNats> {
  const given = await givenServer(options, { variable: 'NATS_URL', wanted: 'NATS with JetStream', check })
  if (given) return { ...given, urlFor: () => given.url }
  const password = readSecret(options.dataDir, 'natsPassword')
  const users = [{ name: administrator, password }, ...options.users.filter(({ name }) => name !== administrator)]
  const server = await chooseKind(
    { ...options, users },
    { name: 'nats', inDocker: startInDocker, onMachine: startOnMachine },
  )
  const { hostname, port } = new URL(server.url)
  return Object.assign(server, {
    urlFor(userName: string) {
      const user = users.find(({ name }) => name === userName)
      if (!user) throw new Error(`NATS has no user ${userName}`)
      return urlOf(user, Number(port), hostname)
    },
  })
}

const common = ({ dataDir, print }: ServerOptions) =>
  ({ name: 'nats', title: 'NATS', dataDir, print, stopSignal: 'SIGTERM', check }) as const

async function startOnMachine(options: NatsOptions): Promise<RunningServer> {
  const { dataDir, users } = options
  const program = await findProgram(
    { title: 'NATS', name: 'nats-server', least: [2, 9], variable: 'NATS_URL' },
    options,
  )
  const folder = join(dataDir, 'nats')
  const configuration = join(folder, 'nats.conf')
  makeFolder(folder)
  return runOnMachine({
    ...common(options),
    source: program.source,
    urlFor: (port) => urlOf(users[0], port),
    commandFor: (port) => {
      writeFileAtomically(configuration, natsConfiguration({ listen: `127.0.0.1:${port}`, storeDir: folder, users }))
      return { file: program.file, args: ['-c', configuration], env: { LD_LIBRARY_PATH: program.libraryPath } }
    },
  })
}

async function startInDocker(options: NatsOptions): Promise<RunningServer> {
  const { users } = options
  return runInDocker({
    ...common(options),
    image,
    containerPort: 4222,
    volumeTarget: '/data',
    files: [
      {
        content: natsConfiguration({ listen: '0.0.0.0:4222', storeDir: '/data', users }),
        target: '/etc/storefront-nats.conf',
      },
    ],
    command: ['nats-server', '-c', '/etc/storefront-nats.conf'],
    urlFor: (port, host) => urlOf(users[0], port, host),
  })
}

function urlOf(user: NatsUser | undefined, port: number, host = '127.0.0.1'): string {
  const credentials = user === undefined ? '' : `${user.name}:${encodeURIComponent(user.password)}@`
  return `nats://${credentials}${host}:${port}`
}

async function check(url: string): Promise<void> {
  // This requests the account's JetStream limits, so it rejects when JetStream is off.
  await withNats(url, { reconnect: false, timeout: 5_000 }, (connection) => jetstreamManager(connection))
}
