import { z } from 'zod'
import { checkEtcd } from './check-etcd.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, ok, warn, type Finding } from './finding.ts'
import { hostOf, readUrl, urlsIn } from './read-url.ts'

const MIB = 1024 ** 2
/** Patroni reads etcd every ten seconds at most, unless loop_wait was raised. */
const UNSEEN_SECONDS = 15
const FOLLOWING = ['running', 'streaming']

const Status = z.object({
  /** Seconds since 1970. */
  dcs_last_seen: z.number().optional(),
  failsafe_mode_is_active: z.boolean().default(false),
  pause: z.boolean().default(false),
})
const Member = z.object({
  name: z.string(),
  /** `leader` or `standby_leader`, or what kind of standby it is. */
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  /** Bytes, or `unknown`. */
  lag: z.union([z.number(), z.string()]).optional(),
})
type Member = z.output<typeof Member>
const Cluster = z.object({ members: z.array(Member) })
/** For each timeline that has ended: its number, where and why it ended, when, and the next primary. */
const History = z.array(z.tuple([z.number(), z.number(), z.string()]).rest(z.string()))

interface View {
  url: string
  /** Undefined when it does not respond. */
  status: z.output<typeof Status> | undefined
  reachesEtcd: boolean
}

/**
 * Checks what each Patroni that `PATRONI_URLS` names reports: who leads and who follows, whether failovers are paused,
 * the last one, and etcd. How far connected standbys are behind is judged by checkReplication.
 */
export async function checkPatroni({ env }: DoctorContext): Promise<Finding[]> {
  const urls = urlsIn(env['PATRONI_URLS'])
  const etcdUrls = urlsIn(env['ETCD_URLS'])
  if (urls.length + etcdUrls.length === 0) return []
  const views = await Promise.all(urls.map(viewOf))
  const responding = views.filter(({ status }) => status !== undefined)
  const reaching = responding.filter(({ reachesEtcd }) => reachesEtcd)
  const [first] = reaching
  return [
    ...(urls.length > 0 ? [patroni(views)] : []),
    ...(first === undefined ? [] : await clusterOf(first.url)),
    ...(await checkEtcd(etcdUrls, {
      reaching: reaching.map(({ url }) => hostOf(url)),
      notReaching: responding.filter(({ reachesEtcd }) => !reachesEtcd).map(({ url }) => hostOf(url)),
      isFailsafe: responding.some(({ status }) => status?.failsafe_mode_is_active),
    })),
  ]
}

async function viewOf(url: string): Promise<View> {
  const read = await readUrl(`${url}/patroni`)
  const { data: status } = Status.safeParse(read?.body)
  // Both by the clock of that machine.
  const unseenSeconds = (read?.sentAtMs ?? NaN) / 1000 - (status?.dcs_last_seen ?? NaN)
  return { url, status, reachesEtcd: !(unseenSeconds > UNSEEN_SECONDS) }
}

function patroni(views: readonly View[]): Finding {
  const check = 'Patroni'
  const silent = views.filter(({ status }) => status === undefined).map(({ url }) => hostOf(url))
  if (silent.length === views.length) {
    const advice = 'Start Patroni, or correct PATRONI_URLS: without it no standby becomes the primary.'
    return fault(check, `none of ${views.length} responds`, advice)
  }
  const number = `${views.length - silent.length} of ${views.length} respond`
  const found = silent.length === 0 ? number : `${number}, not ${silent.join(', ')}`
  if (views.some(({ status }) => status?.pause)) {
    return warn(check, `${found}; failovers are paused`, 'End the pause with patronictl resume.')
  }
  if (silent.length === 0) return ok(check, found)
  return warn(check, found, 'Start it, and read its log if it does not join the others.')
}

async function clusterOf(url: string): Promise<Finding[]> {
  const [cluster, history] = await Promise.all([readUrl(`${url}/cluster`), readUrl(`${url}/history`)])
  const members = Cluster.safeParse(cluster?.body).data?.members
  const timelines = History.safeParse(history?.body).data
  if (members === undefined || timelines === undefined) {
    const advice = 'Run the doctor again; if it finds the same, read the log of that Patroni.'
    return [warn('Patroni leader', `cannot be read at ${hostOf(url)}`, advice)]
  }
  return [...membersOf(members), lastFailover(timelines)]
}

function membersOf(members: readonly Member[]): Finding[] {
  const leader = members.find(({ role }) => role.endsWith('leader'))
  if (leader === undefined) {
    return [
      fault(
        'Patroni leader',
        'there is none',
        'Wait for the failover; if there is none within a minute, see PostgresWithoutPrimary in docs/operations.md.',
      ),
    ]
  }
  const follows = ({ state, timeline = leader.timeline }: Member): boolean =>
    FOLLOWING.includes(state) && timeline === leader.timeline
  const others = members.filter((member) => member !== leader)
  const following = others.filter(follows).map(describe)
  return [
    ok('Patroni leader', `${leader.name}, followed by ${following.join(', ') || 'no other'}`),
    ...others
      .filter((member) => !follows(member))
      .map((member) =>
        warn(
          `Patroni member ${member.name}`,
          `${member.state}, ${describe(member)}, on timeline ${member.timeline ?? 'unknown'}`,
          'Wait until it follows; if it does not within minutes, read its log, or rebuild it with patronictl reinit storefront NODE.',
        ),
      ),
  ]
}

function describe({ name, role, lag }: Member): string {
  const behind = typeof lag === 'number' ? `${(lag / MIB).toFixed(1)} MiB behind` : 'how far behind is unknown'
  return `${name} (${role}, ${behind})`
}

function lastFailover(timelines: z.output<typeof History>): Finding {
  const check = 'PostgreSQL failover'
  const last = timelines.at(-1)
  if (last === undefined) return ok(check, 'none yet')
  const [, , , at = '', to] = last
  const when = Number.isNaN(Date.parse(at)) ? 'an unknown time' : new Date(at).toISOString()
  const from = timelines.at(-2)?.[4]
  return ok(check, `the last one at ${when}${to ? `, ${from ? `from ${from} ` : ''}to ${to}` : ''}`)
}
