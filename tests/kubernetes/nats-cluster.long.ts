import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareStreams } from '@storefront/messaging'
import { EVENTS, eventsStream, eventSubject, inboxPrefix } from '@storefront/contracts'
import { findProgram, freePort } from '@storefront/tools/infrastructure'
import { packageCache, waitFor } from '@storefront/tools/testing'
import { folder } from './manifests.ts'

const NAMESPACE = 'kubernetes'
const NODES = ['nats-0', 'nats-1', 'nats-2']
const [event] = EVENTS.filter(({ from }) => from === 'orders')
if (!event) throw new Error('orders publishes no event')
const subject = eventSubject(NAMESPACE, event)

interface Node {
  name: string
  port: number
  start(): void
  kill(): Promise<void>
}

const directory = mkdtempSync(join(tmpdir(), 'storefront-nats-'))
let nodes: Node[] = []

/** The nodes of overlays/production/nats.conf on one machine, where only ports and folders differ. */
beforeAll(async () => {
  const { file, libraryPath } = await findProgram(
    { title: 'NATS', name: 'nats-server', least: [2, 9], variable: 'NATS_URL' },
    { dataDir: directory, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  const configuration = readFileSync(join(folder, 'overlays/production/nats.conf'), 'utf8')
  const ports = await Promise.all(NODES.map(async () => ({ client: await freePort(), cluster: await freePort() })))
  nodes = NODES.map((name, index) => {
    const place = join(directory, name)
    const own = ports[index]
    if (!own) throw new Error(`no port for ${name}`)
    cpSync(join(folder, 'nats/users.conf'), join(place, 'users.conf'))
    const text = configuration
      .replace('0.0.0.0:4222', `127.0.0.1:${own.client}`)
      .replace('0.0.0.0:6222', `127.0.0.1:${own.cluster}`)
      .replace('0.0.0.0:8222', '127.0.0.1:-1')
      .replace('/tmp/nats.pid', join(place, 'nats.pid'))
      .replace('"/data"', `"${join(place, 'data')}"`)
      .replaceAll(/nats-(\d)\.nats:6222/g, (_route, node) => `127.0.0.1:${ports[Number(node)]?.cluster}`)
    writeFileSync(join(place, 'nats.conf'), text)
    let child: ChildProcess | undefined
    return {
      name,
      port: own.client,
      start() {
        const passwords = Object.fromEntries(
          USERS.map((user) => [`${user.toUpperCase()}_NATS_PASSWORD`, passwordOf(user)]),
        )
        child = spawn(file, ['--config', join(place, 'nats.conf'), '--log', join(place, 'log')], {
          env: { ...passwords, POD_NAME: name, LD_LIBRARY_PATH: libraryPath },
          stdio: 'ignore',
        })
      },
      async kill() {
        if (!child || child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
  })
  for (const node of nodes) node.start()
  const connection = await connectAs('migrate')
  await waitFor('the migrate step', () => prepareStreams(connection, NAMESPACE, { replicas: 3 }).then(() => true))
  await connection.close()
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()))
  rmSync(directory, { recursive: true, force: true })
})

test('events are replicated to three nodes, and accepted while any one of them is down', async () => {
  const migrate = await connectAs('migrate')
  const orders = await connectAs('orders')
  const manager = await jetstreamManager(migrate)
  const { config } = await manager.streams.info(eventsStream(NAMESPACE))
  expect(config.num_replicas).toBe(3)

  let published = 0
  for (const node of nodes) {
    await waitFor('two followers', async () => (await currentReplicas(migrate)) === 2)
    await node.kill()
    await waitFor('an event to be accepted', async () => {
      const taken = await jetstream(orders)
        .publish(subject, JSON.stringify({ node: node.name }), { msgID: node.name, timeout: 2000 })
        .catch(() => undefined)
      return taken !== undefined
    })
    published += 1
    node.start()
  }
  await waitFor('two followers', async () => (await currentReplicas(migrate)) === 2)
  expect((await manager.streams.info(eventsStream(NAMESPACE))).state.messages).toBe(published)
  await orders.close()
  await migrate.close()
})

test('every node lets a service publish only its own events, and only with its password', async () => {
  for (const { port } of nodes) {
    const cart = await waitFor('a connection to the node', () => connectAs('cart', port))
    await expect(jetstream(cart).publish(subject, 'of another', { timeout: 2000 })).rejects.toThrow()
    await cart.close()
    await expect(connectAs('cart', port, 'a wrong password')).rejects.toThrow(/authorization/i)
  }
})

const USERS = ['migrate', 'gateway', 'catalog', 'cart', 'orders', 'identity', 'notifier'] as const

function passwordOf(user: (typeof USERS)[number]): string {
  return `s0123456789${user}`
}

function connectAs(
  user: (typeof USERS)[number],
  port?: number,
  pass: string = passwordOf(user),
): Promise<NatsConnection> {
  return connect({
    servers: port === undefined ? nodes.map((node) => `127.0.0.1:${node.port}`) : [`127.0.0.1:${port}`],
    user,
    pass,
    ignoreClusterUpdates: port !== undefined,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    waitOnFirstConnect: port === undefined,
    ...(user !== 'migrate' && { inboxPrefix: inboxPrefix(user) }),
  })
}

/** The number of followers of the stream that are up to date with its leader. */
async function currentReplicas(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection).catch(() => undefined)
  const info = await manager?.streams.info(eventsStream(NAMESPACE)).catch(() => undefined)
  return info?.cluster?.replicas?.filter(({ current }) => current).length ?? 0
}
