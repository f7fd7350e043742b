import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { ReserveInventory, SessionsEnded } from '@storefront/contracts'
import { openMessaging, replyTo, subscribeToSignal, type Messaging } from '@storefront/messaging'
import { HOUR_MS } from '@storefront/service'
import { createSuite, waitFor, type Suite } from '@storefront/tools/testing'

/** Below the pause before a subscription is made again: `vi.waitFor` advances the fake timers by the time it waits. */
const WITHIN = { timeout: 4000 }

let suite: Suite

beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('of several servers the first one of the address is used while it is there', async () => {
  const own = inject('servers').natsUrls.catalog
  const other = own.replace('127.0.0.1', 'localhost')
  expect(other).not.toBe(own)
  const connections = Array.from({ length: 8 }, () =>
    openMessaging({ url: `${own},${other}`, service: 'catalog', namespace: suite.namespace, log: suite.log }),
  )
  const servers = await Promise.all(connections.map(async ({ opened }) => (await opened).getServer()))
  await Promise.all(connections.map((messaging) => messaging.close()))
  expect(servers).toEqual(servers.map(() => new URL(own).host))
})

/** Speaks as much of NATS as a connection needs. */
async function openServer() {
  const state = {
    connections: 0,
    isSilent: false,
    isRejecting: false,
    rejected: 0,
    isForbidding: false,
    subjects: new Array<string>(),
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    state.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {}) // The client may close first.
    socket.write('INFO {"server_id":"test","version":"2.10.0","max_payload":1048576,"auth_required":true}\r\n')
    socket.on('data', (bytes) => {
      if (state.isSilent) return
      if (state.isRejecting) {
        state.rejected++
        socket.end("-ERR 'Authorization Violation'\r\n")
      } else if (bytes.includes('PING')) socket.write('PONG\r\n')
      for (const [, subject = '', queue] of bytes.toString().matchAll(/^SUB (\S+) (?:(\S+) )?\d+\r$/gm)) {
        state.subjects.push(subject)
        const using = queue === undefined ? '' : ` using queue "${queue}"`
        if (state.isForbidding)
          socket.write(`-ERR 'Permissions Violation for Subscription to "${subject}"${using}'\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address())
  return {
    state,
    url: `nats://user:password@127.0.0.1:${port}`,
    disconnect: () => sockets.forEach((socket) => socket.destroy()),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Ends both, whichever connection the client has by then. */
async function end(server: Awaited<ReturnType<typeof openServer>>, messaging: Messaging): Promise<void> {
  server.disconnect()
  await messaging.close()
  server.disconnect()
  await server.close()
}

test('a server that falls silent, as one on a lost machine, is left within seconds', async () => {
  const [silent, other] = [await openServer(), await openServer()]
  const url = `${silent.url},${other.url}`
  const messaging = openMessaging({ url, service: 'cart', namespace: suite.namespace, log: suite.log })
  await messaging.opened
  const beganMs = performance.now()
  silent.state.isSilent = true
  await waitFor('the other server', () => other.state.connections > 0)
  // With pings every five seconds, as before, it took ten to fifteen.
  expect(performance.now() - beganMs).toBeLessThan(9000)
  await waitFor('the connection', () => messaging.isConnected())
  await end(other, messaging)
  silent.disconnect()
  await silent.close()
})

test('a server that rejects the password for a while, as when it is changed, is tried until it accepts it', async () => {
  const server = await openServer()
  const messaging = openMessaging({ url: server.url, service: 'cart', namespace: suite.namespace, log: suite.log })
  await messaging.opened
  server.state.isRejecting = true
  server.disconnect()
  await waitFor('several rejections', () => server.state.rejected > 3)
  server.state.isRejecting = false
  await waitFor('the connection', () => messaging.isConnected())
  expect(messaging.connection().isClosed()).toBe(false)
  await end(server, messaging)
})

test('a clock that is set back by an hour neither delays a reconnection nor makes attempts without a pause', async () => {
  const server = await openServer()
  const messaging = openMessaging({ url: server.url, service: 'cart', namespace: suite.namespace, log: suite.log })
  await messaging.opened
  const zeroMs = Date.now() - performance.now() - HOUR_MS
  vi.spyOn(Date, 'now').mockImplementation(() => Math.round(zeroMs + performance.now()))
  server.state.isRejecting = true
  const beganMs = performance.now()
  server.disconnect()
  await waitFor('five rejected attempts', () => server.state.connections > 5)
  // Four pauses of a quarter of a second or more, each of which a timer may end a little early.
  expect(performance.now() - beganMs).toBeGreaterThan(900)
  server.state.isRejecting = false
  await waitFor('the connection', () => messaging.isConnected())
  expect(messaging.connection().isClosed()).toBe(false)
  await end(server, messaging)
})

test('subscriptions without a permission are made again, because NATS may get the permissions of a version after its start', async () => {
  const server = await openServer()
  const { log, namespace } = suite
  const messaging = openMessaging({ url: server.url, service: 'catalog', namespace, log })
  await messaging.opened
  const { subjects } = server.state
  server.state.isForbidding = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  subscribeToSignal({ messaging, log }, SessionsEnded, () => {})
  replyTo({ messaging, log, verifyActor: () => undefined }, ReserveInventory, () =>
    Promise.reject(new Error('no stock')),
  )
  await vi.waitFor(() => expect(new Set(subjects).size).toBe(2), WITHIN)
  const rejected = new Set(subjects)

  const attempts = subjects.length
  server.state.isForbidding = false
  await vi.waitFor(() => {
    vi.advanceTimersByTime(10_000)
    expect(subjects.slice(attempts)).toHaveLength(2)
  }, WITHIN)
  expect(new Set(subjects.slice(attempts))).toEqual(rejected)
  vi.useRealTimers()
  await end(server, messaging)
})
