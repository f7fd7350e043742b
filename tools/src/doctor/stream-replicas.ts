import type { ClusterInfo, ConsumerInfo, PeerInfo, StreamInfo } from '@nats-io/jetstream'
import { fault, ok, warn, type Finding } from './finding.ts'

/** A follower confirms every second that it is there. */
const AWAY_NS = 15 * 1_000_000_000
/** Under load a follower is a few operations behind at any moment. */
const MANY_OPERATIONS = 1000
export const START_SERVERS =
  'Start the NATS servers that are down: a stream needs more than half of its replicas, two of three, to accept events.'

/** Whether all servers that store the streams are connected to the cluster. */
export function clusterFinding(cluster: string | undefined, expected: number, streams: readonly StreamInfo[]): Finding {
  const check = 'NATS cluster'
  if (cluster === undefined) {
    if (expected === 1) return ok(check, 'one server, without replicas')
    return fault(
      check,
      `one server, and NATS_REPLICAS is ${expected}`,
      'Set cluster in the configuration of every NATS server, with routes to the others.',
    )
  }
  const peers = streams.flatMap(({ cluster }) => cluster?.replicas ?? [])
  const leaders = streams.flatMap(({ cluster }) => cluster?.leader ?? [])
  const away = new Set(peers.filter(isAway).map(({ name }) => name))
  const servers = new Set([...leaders, ...peers.map(({ name }) => name)])
  const names = [...servers].toSorted()
  if (away.size === 0) return ok(check, `${cluster}: ${names.join(', ')}`)
  return fault(
    check,
    `${away.size} of ${servers.size} servers of ${cluster} are away: ${[...away].toSorted().join(', ')}`,
    'Start them, because the loss of one more stops checkouts; one that is gone for good is removed with nats server raft peer-remove.',
  )
}

/** Who leads a stream, and whether the other replicas have its events. Nothing for a stream on one server. */
export function streamReplicas(info: StreamInfo): Finding[] {
  const check = `replicas of ${info.config.name}`
  const { cluster } = info
  if (cluster === undefined || info.config.num_replicas === 1) return []
  if (!cluster.leader) return [fault(check, 'have no leader', START_SERVERS)]
  // A server that was removed for good counts no longer among them, and the stream still wants it.
  const servers = 1 + (cluster.replicas ?? []).length
  if (servers < info.config.num_replicas) {
    return [
      fault(
        check,
        `${servers} servers store it, and ${info.config.num_replicas} should`,
        'Start another NATS server in this cluster: the stream takes it as a replica by itself, and until then the loss of one more stops checkouts.',
      ),
    ]
  }
  const behind = (cluster.replicas ?? []).filter(isBehind)
  if (behind.length > 0) {
    return [
      warn(
        check,
        `${cluster.leader} leads, ${behind.map(describe).join(', ')}`,
        'Wait until it has caught up before another server stops; if it does not, read its log and look at its disk.',
      ),
    ]
  }
  const current = (cluster.replicas ?? []).filter((peer) => !isAway(peer)).map(({ name }) => name)
  return [ok(check, `${cluster.leader} leads, ${current.toSorted().join(', ') || 'no other'} has every event`)]
}

/** Consumers without a leader, which deliver nothing, and those whose progress other servers do not know. */
export function consumerReplicas(consumers: readonly ConsumerInfo[]): Finding | undefined {
  const clustered = consumers.flatMap(({ name, cluster }) => (cluster === undefined ? [] : [{ name, cluster }]))
  const leaderless = clustered.filter(({ cluster }) => !cluster.leader)
  if (leaderless.length > 0) {
    return fault('leaders of consumers', `${leaderless.map(({ name }) => name).join(', ')} have none`, START_SERVERS)
  }
  if (clustered.length === 0) return undefined
  const behind = clustered.filter(({ cluster }) => (cluster.replicas ?? []).some(isBehind))
  if (behind.length > 0) {
    return warn(
      'leaders of consumers',
      `replicas of ${behind.map(({ name }) => name).join(', ')} are behind`,
      'Wait until they have caught up before another server stops: otherwise events are delivered again.',
    )
  }
  return ok('leaders of consumers', leadersOf(clustered))
}

function leadersOf(consumers: readonly { cluster: ClusterInfo }[]): string {
  const counts = new Map<string, number>()
  for (const { cluster } of consumers) {
    const leader = cluster.leader ?? ''
    counts.set(leader, (counts.get(leader) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([leader, count]) => `${leader} leads ${count}`)
    .join(', ')
}

const isAway = ({ offline, active }: PeerInfo): boolean => offline || active > AWAY_NS
// NATS leaves `lag` out when it is 0.
const isBehind = (peer: PeerInfo): boolean => !isAway(peer) && !peer.current && peer.lag >= MANY_OPERATIONS
const describe = ({ name, lag }: PeerInfo): string => `${name} is ${lag} operations behind`
