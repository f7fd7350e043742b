import { z } from 'zod'
import { fault, ok, warn, type Finding } from './finding.ts'
import { hostOf, readUrl } from './read-url.ts'

const Health = z.object({ health: z.literal('true') })

/** What every Patroni that responds knows about etcd. */
interface EtcdAsSeen {
  /** The hosts of those that have seen it lately. */
  seeing: readonly string[]
  blind: readonly string[]
  /** Whether a primary without etcd continues, because it reaches every other node. */
  isFailsafe: boolean
}

/**
 * Whether etcd, in which Patroni keeps who leads, has a majority and all of its members.
 * @param urls where its members respond to `/health`: Patroni does not know whether a single one is lost
 */
export async function checkEtcd(
  urls: readonly string[],
  { seeing, blind, isFailsafe }: EtcdAsSeen,
): Promise<Finding[]> {
  const check = 'etcd'
  const healthy = await Promise.all(
    urls.map(async (url) => Health.safeParse((await readUrl(`${url}/health`))?.body).success),
  )
  const away = urls.filter((_url, index) => !healthy[index]).map(hostOf)
  const isUnseen = blind.length > 0 && seeing.length === 0
  if (isUnseen || (urls.length > 0 && away.length === urls.length)) {
    const found = isUnseen ? 'no Patroni sees it' : `no member has a majority: ${away.join(', ')}`
    return [
      fault(
        check,
        isFailsafe ? `${found}; in failsafe mode PostgreSQL continues while all of its nodes do` : found,
        'Start its members: more than half of them, two of three, must see each other, and until then there is no failover.',
      ),
    ]
  }
  const findings: Finding[] = []
  if (away.length > 0) {
    const advice = 'Start them, because without a majority of the members there is no failover.'
    findings.push(fault(check, `${away.length} of ${urls.length} members are away: ${away.join(', ')}`, advice))
  }
  if (blind.length > 0) {
    const advice = 'Check the network from there to etcd: without it that PostgreSQL cannot be the primary.'
    findings.push(warn(check, `not seen by the Patroni at ${blind.join(', ')}`, advice))
  }
  if (findings.length > 0 || seeing.length + urls.length === 0) return findings
  return [ok(check, urls.length > 0 ? `${urls.length} members, all healthy` : 'seen by every Patroni')]
}
