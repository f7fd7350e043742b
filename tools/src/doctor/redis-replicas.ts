import { expectedReplicas } from './expected-replicas.ts'
import { fault, ok, warn, type Finding } from './finding.ts'

/** A replica that is there confirms every second. */
const AWAY_SECONDS = 10
const FAR_BEHIND_BYTES = 16 * 1024 ** 2

interface Replica {
  address: string
  state: string
  /** Bytes of the stream of changes that it has confirmed. */
  offset: number
  /** Since it last confirmed that it is there. */
  lagSeconds: number
}

/**
 * Checks the role of the Redis that the shop uses, and its replicas. Without sentinels a single server is normal,
 * unless `REDIS_REPLICAS` says otherwise.
 * @param info the reply of `INFO`
 */
export function redisReplicas(
  info: string,
  { env, hasSentinels }: { env: Readonly<Record<string, string | undefined>>; hasSentinels: boolean },
): Finding[] {
  const role = 'Redis role'
  if (field(info, 'role') !== 'master') {
    const primary = `${field(info, 'master_host')}:${field(info, 'master_port')}`
    return [
      fault(
        role,
        `REDIS_URL leads to a replica of ${primary}`,
        'Let REDIS_URL lead to the primary, or name the sentinels in it: a replica accepts no writes.',
      ),
    ]
  }
  const replicas = replicasIn(info)
  return [
    ok(role, 'primary'),
    count(replicas.length, expectedReplicas(env, 'REDIS_REPLICAS') ?? (hasSentinels ? 1 : 0)),
    ...replicas.map((each) => replica(each, Number(field(info, 'master_repl_offset')))),
    goodReplicas(info) ?? [],
  ].flat()
}

function count(found: number, expected: number): Finding {
  const check = 'Redis replicas'
  if (found < expected) {
    return fault(
      check,
      `${found} of ${expected} connected`,
      'Start the missing replica and read its log: without one a failover is impossible.',
    )
  }
  if (found === 0) return ok(check, 'none, and none is expected (REDIS_REPLICAS)')
  return ok(check, `${found} connected`)
}

function replica({ address, state, offset, lagSeconds }: Replica, offsetOfPrimary: number): Finding {
  const check = `Redis replica ${address}`
  const behind = Math.max(0, offsetOfPrimary - offset)
  const found = `${state}, ${(behind / 1024).toFixed(1)} KiB behind, confirmed ${lagSeconds} s ago`
  if (state !== 'online') return warn(check, found, 'Wait until it has copied the data; if it does not, read its log.')
  if (behind < FAR_BEHIND_BYTES && lagSeconds < AWAY_SECONDS) return ok(check, found)
  return warn(check, found, 'Check the network to it and its processor: a failover to it loses what it lacks.')
}

/** With `min-replicas-to-write` a primary without replicas rejects writes, so that a cut-off one loses none. */
function goodReplicas(info: string): Finding | undefined {
  const good = field(info, 'min_slaves_good_slaves')
  if (good === undefined) return undefined
  const check = 'Redis min-replicas-to-write'
  if (Number(good) > 0) return ok(check, `${good} replicas count`)
  return fault(
    check,
    'no replica counts, so every write is rejected',
    'Start a replica; to continue without one, set min-replicas-to-write to 0 until it is back.',
  )
}

function replicasIn(info: string): Replica[] {
  return [...info.matchAll(/^slave\d+:(.+?)\r?$/gm)].map(([, text = '']) => {
    const values = new Map(text.split(',').map((pair) => splitAt(pair, pair.indexOf('='))))
    return {
      address: `${values.get('ip')}:${values.get('port')}`,
      state: values.get('state') ?? 'unknown',
      offset: Number(values.get('offset')),
      lagSeconds: Number(values.get('lag')),
    }
  })
}

const splitAt = (pair: string, index: number): [string, string] => [pair.slice(0, index), pair.slice(index + 1)]

function field(info: string, name: string): string | undefined {
  return new RegExp(String.raw`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1]
}
