import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  type ConsumerInfo,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream'
import { AuthorizationError, type NatsConnection } from '@nats-io/transport-node'
import { consumerConfigs, MAX_EVENT_BYTES, streamConfigs, type consumerConfig } from '@storefront/messaging'
import type { Clock } from '@storefront/service'
import { deadLetterStream, eventsStream } from '@storefront/contracts'
import { withNats } from '../infrastructure/with-nats.ts'
import { messageOf, StartError } from '../start-error.ts'
import { compareClocks } from './compare-clocks.ts'
import type { DoctorContext } from './doctor-context.ts'
import { expectedReplicas } from './expected-replicas.ts'
import { fault, MIGRATE, ok, warn, type Finding } from './finding.ts'
import { natsVersionFinding } from './nats-version-finding.ts'
import { streamFault } from './stream-fault.ts'
import { clusterFinding, consumerReplicas, streamReplicas } from './stream-replicas.ts'

const DEADLINE_MS = 5000
const MANY_WAITING = 1000

/** Checks connection, version, limits, and the streams and consumers that packages/contracts defines. */
export async function checkNats({ addresses, clock, env }: DoctorContext): Promise<Finding[]> {
  const options = { name: 'doctor', timeout: DEADLINE_MS, reconnect: false }
  try {
    return await withNats(addresses.nats, options, async (connection) => {
      const manager = await jetstreamManager(connection, { timeout: DEADLINE_MS }).catch(() => undefined)
      const server = serverFindings(connection)
      const cluster = connection.info?.cluster
      if (manager === undefined) return [...server, withoutJetStream(cluster)]
      const replicas = expectedReplicas(env, 'NATS_REPLICAS') ?? (cluster === undefined ? 1 : 3)
      return [
        ...server,
        await storage(manager),
        ...(await checkStreams(manager, addresses.namespace, { cluster, replicas })),
        ...(await checkClock(manager, addresses.namespace, clock)),
      ]
    })
  } catch (error) {
    return [unreachable(error)]
  }
}

function unreachable(error: unknown): Finding {
  if (error instanceof StartError) return fault('NATS', 'not found', error.message)
  if (error instanceof AuthorizationError) {
    return fault(
      'NATS',
      'rejects the password',
      'Put the right user and password into NATS_URL, or restore secrets.json.',
    )
  }
  return fault('NATS', `does not respond (${messageOf(error)})`, 'Start NATS (npm start does), or correct NATS_URL.')
}

function withoutJetStream(cluster: string | undefined): Finding {
  if (cluster === undefined) {
    return fault('JetStream', 'does not respond', 'Enable JetStream, and set NATS_URL to the user of the migrate step.')
  }
  return fault(
    'JetStream',
    `does not respond in the cluster ${cluster}`,
    'Start the NATS servers that are down: more than half of them, two of three, must see each other; if they do, enable JetStream.',
  )
}

function serverFindings({ info }: NatsConnection): Finding[] {
  const payload = info?.max_payload ?? 0
  return [
    natsVersionFinding(info?.version ?? '0', info?.cluster !== undefined),
    payload < MAX_EVENT_BYTES
      ? fault(
          'NATS max_payload',
          `${payload} bytes`,
          'Set max_payload to 1MB, or events of orders with many lines cannot be published.',
        )
      : ok('NATS max_payload', `${payload} bytes`),
  ]
}

async function storage(manager: JetStreamManager): Promise<Finding> {
  const { storage: used, limits } = await manager.getAccountInfo()
  const found = `${Math.round(used / 1024 ** 2)} MiB used`
  if (limits.max_storage <= 0) return ok('JetStream storage', found)
  const of = `${found} of ${Math.round(limits.max_storage / 1024 ** 2)}`
  if (used < limits.max_storage * 0.8) return ok('JetStream storage', of)
  return warn('JetStream storage', of, 'Raise the storage that this account of NATS may use.')
}

async function checkStreams(
  manager: JetStreamManager,
  namespace: string,
  { cluster, replicas }: { cluster: string | undefined; replicas: number },
): Promise<Finding[]> {
  const findings: Finding[] = []
  const streams: StreamInfo[] = []
  for (const wanted of streamConfigs(namespace, { replicas })) {
    const check = `stream ${wanted.name}`
    const info = await manager.streams.info(wanted.name).catch((error: unknown) => streamFault(check, error, cluster))
    if ('check' in info) {
      findings.push(info)
      continue
    }
    streams.push(info)
    // Not the size of the stream, which operators may choose.
    const keys = ['subjects', 'retention', 'storage', 'max_age', 'num_replicas', 'duplicate_window'] as const
    const differing = keys.filter((key) => JSON.stringify(info.config[key]) !== JSON.stringify(wanted[key]))
    findings.push(
      differing.length > 0
        ? fault(check, `differs in ${differing.join(', ')}`, MIGRATE)
        : ok(check, `${info.state.messages} messages`),
      ...streamReplicas(info),
    )
    if (wanted.name === deadLetterStream(namespace)) findings.push(deadLetters(info.state.messages))
  }
  findings.unshift(clusterFinding(cluster, replicas, streams))
  if (streams.every(({ config }) => config.name !== eventsStream(namespace))) return findings
  const consumers = new Map<string, ConsumerInfo>()
  const list = manager.consumers.list(eventsStream(namespace))
  for await (const info of list) consumers.set(info.name, info)
  const wanted = consumerConfigs(namespace)
  const faults = wanted.flatMap((config) => consumerFault(config, consumers.get(config.durable_name)) ?? [])
  return [
    ...findings,
    ...(faults.length > 0 ? faults : [ok('consumers', `${wanted.length}, none behind`)]),
    consumerReplicas([...consumers.values()]) ?? [],
  ].flat()
}

/**
 * NATS 2.9 reports its time only when something is created: a consumer in memory, which gets no events and is deleted
 * at once.
 */
async function checkClock(manager: JetStreamManager, namespace: string, clock: Clock): Promise<Finding[]> {
  const stream = eventsStream(namespace)
  const readClock = async (): Promise<number> => {
    const { name, created } = await manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.New,
      mem_storage: true,
      inactive_threshold: DEADLINE_MS * 1_000_000,
    })
    await manager.consumers.delete(stream, name)
    return Date.parse(created)
  }
  try {
    return [await compareClocks('NATS', clock, readClock)]
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error
    return [] // The missing stream is reported already.
  }
}

function deadLetters(count: number): Finding {
  if (count === 0) return ok('dead letters', 'none')
  return warn(
    'dead letters',
    `${count} wait`,
    'Read them with npm run events -- dead-letters, fix the cause of their failure, and replay them.',
  )
}

function consumerFault(wanted: ReturnType<typeof consumerConfig>, info: ConsumerInfo | undefined): Finding | undefined {
  const check = `consumer ${wanted.durable_name}`
  if (info === undefined) return fault(check, 'is not there', MIGRATE)
  const keys = ['filter_subject', 'ack_policy', 'ack_wait', 'max_deliver', 'max_ack_pending'] as const
  const differing = keys.filter((key) => info.config[key] !== wanted[key])
  if (differing.length > 0) return fault(check, `differs in ${differing.join(', ')}`, MIGRATE)
  if (info.num_pending < MANY_WAITING) return undefined
  const [service] = wanted.durable_name.split('-')
  return warn(
    check,
    `${info.num_pending} events wait`,
    `Check whether ${service} runs and read its log, or start another replica of it.`,
  )
}
