import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { prepareStreams } from '@storefront/messaging'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram, freePort } from '../infrastructure/index.ts'
import { packageCache, temporaryFolder, waitFor, waitForFinding, type ExpectedFinding } from '../testing/index.ts'
import { checkNats, streamFault, versionFinding } from './check-nats.ts'
import type { Finding } from './finding.ts'
import { surroundingsOf } from './surroundings.ts'

interface Member {
  name: string
  port: number
  /** The port for connections of the other members. */
  routePort: number
}

const memberOf = async (name: string): Promise<Member> => ({
  name,
  port: await freePort(),
  routePort: await freePort(),
})

const children = new Map<string, ChildProcess>()
let url: string
let start: (member: Member, routePorts: readonly number[]) => Promise<void>

/** Three servers, and the streams of a shop with three replicas. */
beforeAll(async () => {
  const folder = await temporaryFolder('storefront-nats-cluster')
  const program = await findProgram(
    { title: 'NATS', name: 'nats-server', least: [2, 9], variable: 'NATS_URL' },
    { dataDir: folder, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  start = async ({ name, port, routePort }, routePorts) => {
    const file = join(folder, `${name}.conf`)
    const configuration = {
      server_name: name,
      listen: `127.0.0.1:${port}`,
      jetstream: { store_dir: join(folder, name) },
      cluster: {
        name: 'shop',
        listen: `127.0.0.1:${routePort}`,
        routes: routePorts.map((each) => `nats://127.0.0.1:${each}`),
      },
    }
    await writeFile(file, JSON.stringify(configuration))
    const env = { LD_LIBRARY_PATH: program.libraryPath }
    children.set(name, spawn(program.file, ['-c', file], { env, stdio: 'ignore' }))
  }
  const servers: Member[] = []
  for (const name of ['nats-1', 'nats-2', 'nats-3']) servers.push(await memberOf(name))
  const routePorts = servers.map(({ routePort }) => routePort)
  for (const server of servers) await start(server, routePorts)
  url = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const connection = await waitFor('a server', () =>
    connect({ servers: url.split(','), timeout: 1000 }).catch(() => undefined),
  )
  await waitFor('a leader', () => jetstreamManager(connection, { timeout: 500 }).catch(() => undefined))
  // The leader is connected to the other servers a moment later.
  await waitFor('the streams', () =>
    prepareStreams(connection, 'shop', { replicas: 3, maxBytes: 1024 ** 2 }).then(
      () => true,
      () => false,
    ),
  )
  await connection.close()
})

afterAll(async () => {
  await Promise.all([...children.keys()].map((name) => end(name)))
})

async function end(name: string): Promise<void> {
  const child = children.get(name)
  children.delete(name)
  if (child === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const examine = (env: Record<string, string> = {}): Promise<Finding[]> =>
  checkNats(surroundingsOf({ ...env, NATS_URL: url, NAMESPACE: 'shop' }))

const expectFinding = (check: string, expected: ExpectedFinding) => waitForFinding(() => examine(), check, expected)

test('a version that is enough for one server may be too old for a cluster', () => {
  const states = ['2.8.4', '2.9.10', '2.10.27', '3.0.0'].map((version) => [
    versionFinding(version, false).state,
    versionFinding(version, true).state,
  ])
  expect(states).toEqual([
    ['fault', 'fault'],
    ['ok', 'warn'],
    ['ok', 'ok'],
    ['ok', 'ok'],
  ])
})

test('only a stream that NATS does not have is reported as missing, with the advice to recover it', () => {
  const missing = new JetStreamApiError({
    code: 404,
    err_code: JetStreamApiCodes.StreamNotFound,
    description: 'stream not found',
  })
  const busy = new JetStreamApiError({
    code: 503,
    err_code: 10_008,
    description: 'JetStream system temporarily unavailable',
  })
  for (const cluster of [undefined, 'shop']) {
    expect(streamFault('stream shop_EVENTS', missing, cluster)).toMatchObject({
      found: 'is not there',
      advice: expect.stringContaining('npm run events -- recover'),
    })
    expect(streamFault('stream shop_EVENTS', busy, cluster)).toMatchObject({
      state: 'fault',
      found: cluster === 'shop' ? 'has no leader' : 'cannot be read (JetStream system temporarily unavailable)',
      advice: expect.not.stringContaining('recover'),
    })
  }
  expect(() => streamFault('stream shop_EVENTS', new Error('timeout'), undefined)).toThrow('timeout')
})

test('in a cluster each stream and consumer has a leader, and replicas that are current', async () => {
  await expectFinding('replicas of shop_EVENTS', {
    state: 'ok',
    found: /^nats-\d leads, nats-\d, nats-\d has every event$/,
  })
  await expectFinding('leaders of consumers', { state: 'ok', found: /^nats-\d leads \d+/ })
  const findings = await examine()
  // The version is that of the system's package.
  expect(findings.filter(({ check, state }) => check !== 'NATS' && state !== 'ok')).toEqual([])
  expect(findings).toContainEqual({ check: 'NATS cluster', state: 'ok', found: 'shop: nats-1, nats-2, nats-3' })
})

test('streams with fewer replicas than the shop wants are a fault', async () => {
  expect(await examine({ NATS_REPLICAS: '5' })).toContainEqual(
    expect.objectContaining({ check: 'stream shop_EVENTS', state: 'fault', found: 'differs in num_replicas' }),
  )
})

test('a server that stopped is named', async () => {
  await end('nats-3')
  expect(
    await expectFinding('NATS cluster', { state: 'fault', found: /^1 of 3 servers of shop are away: nats-3$/ }),
  ).toMatchObject({ advice: expect.stringContaining('Start them') })
  await expectFinding('replicas of shop_EVENTS', { state: 'ok', found: /^nats-[12] leads, nats-[12] has every event$/ })
})

test('a server that sees no other lacks the quorum', async () => {
  const alone = await memberOf('nats-4')
  await start(alone, [alone.routePort, await freePort(), await freePort()])
  url = `127.0.0.1:${alone.port}`
  expect(await expectFinding('JetStream', { state: 'fault', found: /in the cluster shop$/ })).toMatchObject({
    advice: expect.stringContaining('two of three'),
  })
})
