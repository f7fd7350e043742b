import type { ClientBase } from 'pg'
import { checkArchive } from './check-archive.ts'
import type { DoctorContext } from './doctor-context.ts'
import { expectedReplicas } from './expected-replicas.ts'
import { fault, ok, warn, type Finding } from './finding.ts'
import * as queries from './replication.queries.ts'

const MIB = 1024 ** 2
/** Four files of the log: a standby that keeps up is behind by less, also during an import. */
const FAR_BEHIND_BYTES = 64 * MIB
const FAR_BEHIND_SECONDS = 30
const MUCH_KEPT_BYTES = 1024 * MIB
const READ_STATISTICS =
  'Grant pg_monitor to the user in DATABASE_URL: otherwise the doctor cannot see how far behind the standbys are.'

/**
 * Checks who the primary is, its standbys, and what a failover would lose. A single server is normal, unless
 * `POSTGRES_STANDBYS`, `synchronous_standby_names` or a replication slot says otherwise.
 */
export async function checkReplication(client: ClientBase, { env, clock }: DoctorContext): Promise<Finding[]> {
  const server = await queries.serverRole(client)
  const where = `${server.address ?? 'a local socket'}, timeline ${server.timeline}`
  if (server.isStandby) {
    return [
      fault(
        'PostgreSQL primary',
        `DATABASE_URL leads to a standby (${where})`,
        'Let DATABASE_URL lead to the primary, or promote this server if the primary is lost for good.',
      ),
    ]
  }
  const connected = await queries.standbys(client)
  const { names, commit } = await queries.synchronousSettings(client)
  const slots = await queries.slots(client)
  const expected = expectedReplicas(env, 'POSTGRES_STANDBYS')
  return [
    ok('PostgreSQL primary', where),
    // Patroni knows the names of both primaries too.
    ...(env['PATRONI_URLS'] ? [] : [await failover(client, server.timeline)]),
    standbyCount(connected, expected),
    ...connected.map(standby),
    synchronous(connected, names, commit, expected) ?? [],
    slots.flatMap((each) => slot(each) ?? []),
    await checkArchive(client, clock),
  ].flat()
}

async function failover(client: ClientBase, timeline: number): Promise<Finding> {
  const check = 'PostgreSQL failover'
  if (timeline === 1) return ok(check, 'none yet')
  const at = await queries.promotedAt(client, timeline)
  return ok(check, at === undefined ? 'at an unknown time' : `the last one at ${at.toISOString()}`)
}

function standbyCount(connected: readonly queries.Standby[], expected: number | undefined): Finding {
  const check = 'PostgreSQL standbys'
  const { length } = connected
  if (expected !== undefined && length < expected) {
    return fault(
      check,
      `${length} of ${expected} connected`,
      'Start the missing standby and read its log; if it can no longer follow, rebuild it (patronictl reinit storefront NODE, or pg_basebackup).',
    )
  }
  if (length === 0) return ok(check, 'none, and none is expected (POSTGRES_STANDBYS)')
  return ok(check, `${length} connected`)
}

function standby({ name, address, state, syncState, lagBytes, lagSeconds }: queries.Standby): Finding {
  const check = `standby ${name || address || 'without a name'}`
  if (state === null) return warn(check, 'is connected', READ_STATISTICS)
  const seconds = lagSeconds ?? 0
  const behind = lagBytes === null ? 'has replayed nothing' : `${mebibytes(lagBytes)} behind, ${seconds.toFixed(1)} s`
  const found = `${state}, ${syncState}, ${behind}`
  if (state !== 'streaming') {
    return warn(check, found, 'Wait until it streams; if it does not within minutes, read its log.')
  }
  if ((lagBytes ?? 0) < FAR_BEHIND_BYTES && seconds < FAR_BEHIND_SECONDS) return ok(check, found)
  return warn(
    check,
    found,
    'Look for a long query on this standby, a slow disk or a slow network, because a failover to it would take that much longer.',
  )
}

function synchronous(
  connected: readonly queries.Standby[],
  names: string,
  commit: string,
  expected: number | undefined,
): Finding | undefined {
  const check = 'synchronous replication'
  if (names === '') {
    if (connected.length === 0 && !expected) return undefined
    return warn(
      check,
      'is off',
      'Set synchronous_standby_names (synchronous_mode of Patroni): without it a failover loses the last orders.',
    )
  }
  if (connected.some(({ state }) => state === null)) return undefined // Reported already.
  const wanted = standbysOfEachCommit(names)
  const found = connected.filter(({ syncState }) => syncState === 'sync' || syncState === 'quorum')
  if (commit === 'off' || commit === 'local') {
    const advice = 'Set synchronous_commit to on: a failover loses the last orders otherwise.'
    return fault(check, `synchronous_commit is ${commit}`, advice)
  }
  if (found.length < wanted) {
    return fault(
      check,
      `every commit waits: ${found.length} of ${wanted} standbys that ${names} requires`,
      'Start such a standby; to sell without one, and lose the last orders if the primary is lost, empty synchronous_standby_names and reload.',
    )
  }
  return ok(check, `each commit is on ${wanted} of ${found.map(({ name }) => name).join(', ')}`)
}

/** @param names as in `synchronous_standby_names`: `a, b`, `2 (a, b, c)`, `FIRST 1 (a, b)` or `ANY 1 (*)` */
function standbysOfEachCommit(names: string): number {
  return Number(/^\s*(?:first|any)?\s*(\d+)\s*\(/i.exec(names)?.[1] ?? 1)
}

function slot({ name, isActive, walStatus, keptBytes }: queries.Slot): Finding | undefined {
  const check = `replication slot ${name}`
  const drop = `select pg_drop_replication_slot('${name}')`
  if (walStatus === 'lost') {
    return fault(
      check,
      'has lost log that its standby needs',
      `Rebuild that standby (patronictl reinit storefront NODE, or pg_basebackup), or drop the slot with ${drop}.`,
    )
  }
  const kept = keptBytes ?? 0
  const found = `${isActive ? 'is used' : 'is not used'}, and ${mebibytes(kept)} of the log are kept for it`
  if (kept >= MUCH_KEPT_BYTES) {
    const advice = `Bring its standby back before the disk of the primary is full, or drop the slot with ${drop}.`
    return isActive ? warn(check, found, advice) : fault(check, found, advice)
  }
  if (isActive || keptBytes === null) return undefined
  return warn(check, found, `Start its standby, or drop the slot with ${drop} if that standby no longer exists.`)
}

function mebibytes(bytes: number): string {
  return `${(Math.max(0, bytes) / MIB).toFixed(1)} MiB`
}
