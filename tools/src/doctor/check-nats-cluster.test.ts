import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { prepareStreams } from '@storefront/messaging'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNatsCluster, waitFor, waitForFinding, type ExpectedFinding, type NatsCluster } from '../testing/index.ts'
import { checkNats } from './check-nats.ts'
import { doctorContext } from './doctor-context.ts'
import type { Finding } from './finding.ts'
import { streamReplicas } from './stream-replicas.ts'
import { natsVersionFinding } from './nats-version-finding.ts'
import { streamFault } from './stream-fault.ts'

let cluster: NatsCluster
let url: string

/** Three servers, and the streams of a shop with three replicas. */
beforeAll(async () => {
  cluster = await startNatsCluster()
  url = cluster.url
  const connection = await connect({ servers: url.split(',') })
  // The leader is connected to the other servers a moment later.
  await waitFor('the streams', () =>
    prepareStreams(connection, 'shop', { replicas: 3, maxBytes: 1024 ** 2 }).then(
      () => true,
      () => false,
    ),
  )
  await connection.close()
})

afterAll(() => cluster.stop())

const examine = (env: Record<string, string> = {}): Promise<Finding[]> =>
  checkNats(doctorContext({ ...env, NATS_URL: url, NAMESPACE: 'shop' }))

const expectFinding = (check: string, expected: ExpectedFinding) => waitForFinding(() => examine(), check, expected)

test('a version that is enough for one server may be too old for a cluster', () => {
  const states = ['2.8.4', '2.9.10', '2.10.27', '3.0.0'].map((version) => [
    natsVersionFinding(version, false).state,
    natsVersionFinding(version, true).state,
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

test('a server that was removed for good, and not replaced, is missing', async () => {
  const connection = await connect({ servers: url.split(',') })
  const manager = await jetstreamManager(connection)
  const infos = await manager.streams.list().next()
  await connection.close()
  const withoutOne = infos.map((info) => ({
    ...info,
    cluster: { ...info.cluster, leader: 'nats-1', replicas: (info.cluster?.replicas ?? []).slice(0, 1) },
  }))
  expect(infos.flatMap(streamReplicas).filter(({ state }) => state === 'fault')).toEqual([])
  for (const info of withoutOne) {
    expect(streamReplicas(info)).toMatchObject([{ state: 'fault', found: '2 servers store it, and 3 should' }])
  }
})

test('a server that stopped is named', async () => {
  await cluster.end('nats-3')
  expect(
    await expectFinding('NATS cluster', { state: 'fault', found: /^1 of 3 servers of shop are away: nats-3$/ }),
  ).toMatchObject({ advice: expect.stringContaining('Start them') })
  await expectFinding('replicas of shop_EVENTS', { state: 'ok', found: /^nats-[12] leads, nats-[12] has every event$/ })
})

test('a server that sees no other lacks the quorum', async () => {
  url = await cluster.startAlone('nats-4')
  expect(await expectFinding('JetStream', { state: 'fault', found: /in the cluster shop$/ })).toMatchObject({
    advice: expect.stringContaining('two of three'),
  })
})
