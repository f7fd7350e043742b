import { z } from 'zod'
import { fault, ok, warn, type Finding } from './finding.ts'
import { hostOf, readUrl } from './read-url.ts'

const Health = z.object({ health: z.literal('true') })

/** What every Patroni that responds knows about etcd. */
interface EtcdOfPatroni {
  /** The hosts of those that have reached it lately. */
  reaching: readonly string[]
  notReaching: readonly string[]
  /** Whether a primary without etcd continues, because it reaches every other node. */
  isFailsafe: boolean
}

/**
 * Whether etcd, in which Patroni keeps who leads, has a majority and all of its members.
 * @param urls where its members respond to `/health`: Patroni does not know whether a single one is lost
 */
export async function checkEtcd(
  urls: readonly string[],
  { reaching, notReaching, isFailsafe }: EtcdOfPatroni,
): Promise<Finding[]> {
  const check = 'etcd'
  const healthy = await Promise.all(
    urls.map(async (url) => Health.safeParse((await readUrl(`${url}/health`))?.body).success),
  )
  const unhealthy = urls.filter((_url, index) => !healthy[index]).map(hostOf)
  const isUnreached = notReaching.length > 0 && reaching.length === 0
  if (isUnreached || (urls.length > 0 && unhealthy.length === urls.length)) {
    const found = isUnreached ? 'no Patroni reaches it' : `no member is healthy: ${unhealthy.join(', ')}`
    return [
      fault(
        check,
        isFailsafe ? `${found}; in failsafe mode PostgreSQL continues while all of its nodes do` : found,
        'Start its members, of which more than half must reach each other, or if they run, end the alarm that etcdctl alarm list shows: until then there is no failover.',
      ),
    ]
  }
  const findings: Finding[] = []
  if (unhealthy.length > 0) {
    const advice = 'Start them, because without a majority of the members there is no failover.'
    const found = `${unhealthy.length} of ${urls.length} members are away: ${unhealthy.join(', ')}`
    findings.push(fault(check, found, advice))
  }
  if (notReaching.length > 0) {
    const advice = 'Check the network from there to etcd: without it that PostgreSQL cannot be the primary.'
    findings.push(warn(check, `the Patroni at ${notReaching.join(', ')} does not reach it`, advice))
  }
  if (findings.length > 0 || reaching.length + urls.length === 0) return findings
  return [ok(check, urls.length > 0 ? `${urls.length} members, all healthy` : 'every Patroni reaches it')]
}
