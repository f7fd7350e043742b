import { jetstreamManager, type ClusterInfo } from '@nats-io/jetstream'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { deadLetterStream, eventsStepDown, eventsStream } from '@storefront/contracts'
import { withNats } from '../infrastructure/with-nats.ts'
import { withRedis } from '../infrastructure/with-redis.ts'
import { shopNamespace } from '../shop-namespace.ts'
import { isEtcdHealthy } from './etcd.ts'
import type { Machine } from './machine.ts'
import { MACHINE_NAMES, type MachineName } from './network.ts'
import { postgresRole } from './patroni.ts'
import { PORTS } from './ports.ts'
import { REDIS_NAME } from './redis-node.ts'
import type { RunningCluster } from './start-cluster.ts'

type Cluster = Pick<RunningCluster, 'machines' | 'natsUrl' | 'redisPassword' | 'unsafeCommits'>

const Member = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.int().optional(),
  lag: z.union([z.int(), z.string()]).optional(),
})
const Members = z.object({ members: z.array(Member) })
const EtcdStatus = z.object({ header: z.object({ member_id: z.string() }), leader: z.string() })
const STANDBY_STATES = ['running', 'streaming']
/** Bytes. A standby that runs and is further behind does not follow the primary. */
const LONGEST_LAG = 16 * 1024 * 1024
/** Of a connection to NATS. */
const ONE_TRY = { reconnect: false, timeout: 3_000 }

/** @returns the machine whose PostgreSQL accepts writes, by its own Patroni; undefined during a failover */
export async function postgresPrimary({ machines }: Cluster): Promise<Machine | undefined> {
  const all = Object.values(machines)
  const roles = await Promise.all(all.map(({ address }) => postgresRole(address)))
  return all.find((_machine, index) => roles[index] === 'primary')
}

/** @returns the machine whose PostgreSQL has every acknowledged commit; undefined while there is none */
export async function synchronousStandby(cluster: Cluster): Promise<Machine | undefined> {
  const primary = await postgresPrimary(cluster)
  const members = primary ? await membersBy(primary) : []
  const standby = members.find(({ role }) => role === 'sync_standby')
  return standby && machineNamed(cluster, standby.name)
}

/** @returns the machine whose NATS leads the stream of events; undefined during an election */
export async function natsLeader(cluster: Cluster): Promise<Machine | undefined> {
  const leader = await withNats(cluster.natsUrl, ONE_TRY, async (connection) => {
    const manager = await jetstreamManager(connection)
    return (await manager.streams.info(eventsStream(shopNamespace))).cluster?.leader
  })
  return leader === undefined ? undefined : machineNamed(cluster, leader)
}

/** Has another NATS lead the stream of events. */
export async function moveNatsLeader(cluster: Cluster): Promise<void> {
  await withNats(cluster.natsUrl, ONE_TRY, (connection) => connection.request(eventsStepDown(shopNamespace)))
}

/** @returns the machine whose Redis accepts writes, by the sentinels; undefined when none of them responds */
export async function redisPrimary(cluster: Cluster): Promise<Machine | undefined> {
  for (const { address } of Object.values(cluster.machines)) {
    const found = await withRedisOf(cluster, { address, port: PORTS.sentinel }, (sentinel) =>
      sentinel.call('SENTINEL', 'get-master-addr-by-name', REDIS_NAME),
    ).catch(() => undefined)
    const [host] = z.array(z.string()).safeParse(found).data ?? []
    const machine = Object.values(cluster.machines).find((each) => each.address === host)
    if (machine) return machine
  }
  return undefined
}

/**
 * Has the sentinels choose another Redis. They reject it while they have not seen a restarted replica again, or while a
 * failover is under way.
 */
export async function moveRedisPrimary(cluster: Cluster): Promise<void> {
  // The sentinel that redisPrimary reads first: another one could fail over twice before this one knows the new primary.
  const [first] = Object.values(cluster.machines)
  if (!first) return
  await withRedisOf(cluster, { address: first.address, port: PORTS.sentinel }, (sentinel) =>
    sentinel.call('SENTINEL', 'failover', REDIS_NAME),
  ).catch(() => {})
}

/** @returns the machine whose etcd leads; undefined during an election */
export async function etcdLeader({ machines }: Cluster): Promise<Machine | undefined> {
  for (const machine of Object.values(machines)) {
    const status = await etcdStatus(machine)
    if (status && status.header.member_id === status.leader) return machine
  }
  return undefined
}

/** Has another etcd lead. */
export async function moveEtcdLeader(cluster: Cluster): Promise<void> {
  const leader = await etcdLeader(cluster)
  const other = Object.values(cluster.machines).find((machine) => machine !== leader)
  const status = other && (await etcdStatus(other))
  if (leader && status) await maintainEtcd(leader, 'transfer-leadership', { targetID: status.header.member_id })
}

async function etcdStatus(machine: Machine): Promise<z.output<typeof EtcdStatus> | undefined> {
  return EtcdStatus.safeParse(await maintainEtcd(machine, 'status', {})).data
}

function maintainEtcd({ address }: Machine, action: string, body: object): Promise<unknown> {
  const url = `http://${address}:${PORTS.etcd}/v3/maintenance/${action}`
  return fetchJson(url, { method: 'POST', body: JSON.stringify(body) })
}

/** @returns what is wrong: engines without a leader, replicas that are missing or behind */
export async function missingReplicas(cluster: Cluster): Promise<string[]> {
  const all = [postgresFaults(cluster), natsFaults(cluster), redisFaults(cluster), etcdFaults(cluster)]
  const parts = await Promise.all(all)
  return parts.flat()
}

async function postgresFaults(cluster: Cluster): Promise<string[]> {
  const primary = await postgresPrimary(cluster)
  if (!primary) return ['PostgreSQL has no primary']
  const members = await membersBy(primary)
  const timeline = members.find(({ role }) => role === 'leader')?.timeline
  const follows = (member: z.output<typeof Member>): boolean =>
    STANDBY_STATES.includes(member.state) && member.timeline === timeline && Number(member.lag) < LONGEST_LAG
  const standbys = members.filter((member) => member.role !== 'leader' && follows(member))
  const faults =
    standbys.length < MACHINE_NAMES.length - 1 ? [`PostgreSQL has ${standbys.length} standbys that follow it`] : []
  return cluster.unsafeCommits || standbys.some(({ role }) => role === 'sync_standby')
    ? faults
    : [...faults, 'PostgreSQL has no synchronous standby']
}

/** @returns the nodes of PostgreSQL as the Patroni of one of them knows them; none when it does not respond */
async function membersBy({ address }: Machine): Promise<z.output<typeof Member>[]> {
  const cluster = await fetchJson(`http://${address}:${PORTS.patroni}/cluster`)
  return Members.safeParse(cluster).data?.members ?? []
}

async function natsFaults(cluster: Cluster): Promise<string[]> {
  try {
    return await withNats(cluster.natsUrl, ONE_TRY, async (connection) => {
      const manager = await jetstreamManager(connection)
      const groups: (ClusterInfo | undefined)[] = []
      for (const name of [eventsStream(shopNamespace), deadLetterStream(shopNamespace)]) {
        const consumers = await manager.consumers.list(name).next()
        groups.push((await manager.streams.info(name)).cluster, ...consumers.map(({ cluster: group }) => group))
      }
      return faultsOfGroups(groups)
    })
  } catch {
    return ['NATS does not respond']
  }
}

/** @param groups of each stream and each consumer: one server leads, and the others follow */
function faultsOfGroups(groups: readonly (ClusterInfo | undefined)[]): string[] {
  const faults: string[] = []
  const led = groups.filter((group) => group?.leader)
  const of = `of ${groups.length} streams and consumers`
  if (led.length < groups.length) faults.push(`NATS: ${groups.length - led.length} ${of} have no leader`)
  for (const name of MACHINE_NAMES) {
    const follows = (group: ClusterInfo | undefined): boolean =>
      group?.leader === name ||
      (group?.replicas ?? []).some((peer) => peer.name === name && peer.current && !peer.offline)
    const missing = led.filter((group) => !follows(group)).length
    if (missing > 0) faults.push(`NATS: ${name} does not follow in ${missing} ${of}`)
  }
  return faults
}

async function redisFaults(cluster: Cluster): Promise<string[]> {
  const primary = await redisPrimary(cluster)
  if (!primary) return ['Redis has no primary']
  const text = await withRedisOf(cluster, { address: primary.address, port: PORTS.redis }, (redis) =>
    redis.info('replication'),
  ).catch(() => '')
  const online = text.match(/state=online/g)?.length ?? 0
  return online < MACHINE_NAMES.length - 1 ? [`Redis has ${online} replicas`] : []
}

async function etcdFaults({ machines }: Cluster): Promise<string[]> {
  const all = Object.values(machines)
  const healthy = await Promise.all(all.map(({ address }) => isEtcdHealthy(address).catch(() => false)))
  return all.filter((_machine, index) => !healthy[index]).map(({ name }) => `the etcd of ${name} is not healthy`)
}

function machineNamed({ machines }: Cluster, name: string): Machine | undefined {
  const known: MachineName | undefined = MACHINE_NAMES.find((each) => each === name)
  return known && machines[known]
}

/**
 * Opens a connection to the Redis or the sentinel of a machine for one piece of work. @throws Error when it does not
 * respond
 */
async function withRedisOf<Result>(
  { redisPassword: password }: Pick<Cluster, 'redisPassword'>,
  { address: host, port }: { address: string; port: number },
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  return withRedis('redis://', { host, port, password, timeoutMs: 1_000 }, work)
}

async function fetchJson(url: string, request: RequestInit = {}): Promise<unknown> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(1_000) })
    return await response.json()
  } catch {
    return undefined
  }
}
