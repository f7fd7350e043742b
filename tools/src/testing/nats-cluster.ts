import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { waitFor } from '@storefront/service/testing'
import { freePort } from '../infrastructure/free-port.ts'
import { findProgram } from '../infrastructure/program.ts'
import { packageCache } from './global-setup.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type NatsCluster = Awaited<ReturnType<typeof startNatsCluster>>

interface Ports {
  client: number
  /** For connections of the other servers. */
  route: number
}

const portsOfServer = async (): Promise<Ports> => ({ client: await freePort(), route: await freePort() })

/** Starts the cluster `shop` of three servers, and waits for their leader. It sees the others a moment later. */
export async function startNatsCluster() {
  const children = new Map<string, ChildProcess>()
  const folder = await temporaryFolder('storefront-nats-cluster')
  const program = await findProgram(
    { title: 'NATS', name: 'nats-server', least: [2, 9], variable: 'NATS_URL' },
    { dataDir: folder, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  const start = async (name: string, { client, route }: Ports, routes: readonly number[]): Promise<void> => {
    const file = join(folder, `${name}.conf`)
    const configuration = {
      server_name: name,
      listen: `127.0.0.1:${client}`,
      jetstream: { store_dir: join(folder, name) },
      cluster: {
        name: 'shop',
        listen: `127.0.0.1:${route}`,
        routes: routes.map((each) => `nats://127.0.0.1:${each}`),
      },
    }
    await writeFile(file, JSON.stringify(configuration))
    const env = { LD_LIBRARY_PATH: program.libraryPath }
    children.set(name, spawn(program.file, ['-c', file], { env, stdio: 'ignore' }))
  }
  const end = async (name: string): Promise<void> => {
    const child = children.get(name)
    children.delete(name)
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const ports = [await portsOfServer(), await portsOfServer(), await portsOfServer()]
  const routes = ports.map(({ route }) => route)
  for (const [index, own] of ports.entries()) await start(`nats-${index + 1}`, own, routes)
  const url = ports.map(({ client }) => `127.0.0.1:${client}`).join(',')
  const stop = async (): Promise<void> => void (await Promise.all([...children.keys()].map(end)))
  await waitForLeader(url).catch(async (error: unknown): Promise<never> => {
    await stop()
    throw error
  })
  return {
    /** The addresses of nats-1, nats-2 and nats-3, separated by commas. */
    url,
    end,
    stop,
    /** Starts another server of the cluster, which sees none of them. @returns its address */
    async startAlone(name: string) {
      const own = await portsOfServer()
      await start(name, own, [own.route, await freePort(), await freePort()])
      return `127.0.0.1:${own.client}`
    },
  }
}

async function waitForLeader(url: string): Promise<void> {
  const connection = await waitFor('a server', () =>
    connect({ servers: url.split(','), timeout: 1000 }).catch(() => undefined),
  )
  await waitFor('a leader', () => jetstreamManager(connection, { timeout: 500 }).catch(() => undefined))
  await connection.close()
}
