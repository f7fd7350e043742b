import type { SentinelAddress } from '@storefront/service'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { withRedis } from '../infrastructure/with-redis.ts'
import { fault, ok, warn, type Finding } from './finding.ts'

const DEADLINE_MS = 3000
/** Fewer cannot agree when one is lost. */
const LEAST_SENTINELS = 3
const Fields = z
  .array(z.coerce.string())
  .transform((list) =>
    Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : []))),
  )
const Master = Fields.pipe(
  z.object({
    ip: z.string(),
    port: z.string(),
    flags: z.string(),
    'num-other-sentinels': z.string().transform(Number),
    'config-epoch': z.string().transform(Number),
    'role-reported-time': z.string().transform(Number),
  }),
)

interface View {
  sentinel: string
  /** Undefined when the sentinel did not reply, or does not know the primary. */
  master: z.output<typeof Master> | undefined
  /** Whether enough sentinels see each other to agree on a failover. */
  hasQuorum: boolean
}

/** Checks what each sentinel that REDIS_URL names knows: who leads, whether they agree, and the last failover. */
export async function checkSentinels(address: SentinelAddress): Promise<Finding[]> {
  const views = await Promise.all(address.sentinels.map((sentinel) => viewOf(sentinel, address)))
  const masters = views.flatMap(({ master }) => master ?? [])
  const [first] = masters
  if (first === undefined) {
    return [
      fault(
        'Redis sentinels',
        `none of ${views.length} replies`,
        `Start the sentinels, and check that they monitor ${address.name}: services cannot find the primary without them.`,
      ),
    ]
  }
  return [sentinels(views, masters), agreement(masters), lastFailover(masters)]
}

async function viewOf({ host, port }: { host: string; port: number }, address: SentinelAddress): Promise<View> {
  const sentinel = `${host}:${port}`
  const { user, password } = address
  const options = { host, port, ...(user && { username: user }), ...(password && { password }), timeoutMs: DEADLINE_MS }
  try {
    return { sentinel, ...(await withRedis('redis://', options, (redis) => knowledgeOf(redis, address.name))) }
  } catch {
    return { sentinel, master: undefined, hasQuorum: false }
  }
}

async function knowledgeOf(redis: Redis, name: string): Promise<Omit<View, 'sentinel'>> {
  const master = Master.parse(await redis.call('SENTINEL', 'MASTER', name))
  const hasQuorum = await redis.call('SENTINEL', 'CKQUORUM', name).then(
    () => true,
    () => false,
  )
  return { master, hasQuorum }
}

function sentinels(views: readonly View[], masters: readonly z.output<typeof Master>[]): Finding {
  const check = 'Redis sentinels'
  const silent = views.filter(({ master }) => master === undefined).map(({ sentinel }) => sentinel)
  const known = Math.max(views.length, ...masters.map((each) => each['num-other-sentinels'] + 1))
  const found = `${masters.length} of ${views.length} reply${silent.length > 0 ? `, not ${silent.join(', ')}` : ''}`
  if (!views.some(({ hasQuorum }) => hasQuorum)) {
    return fault(check, `${found}, too few to agree on a failover`, 'Start the sentinels that are down.')
  }
  if (silent.length > 0) return warn(check, found, 'Start them: with one more lost there is no failover.')
  if (known < LEAST_SENTINELS) {
    return warn(check, `${found}, and there are ${known}`, `Run ${LEAST_SENTINELS}, on different machines.`)
  }
  return ok(check, found)
}

function agreement(masters: readonly z.output<typeof Master>[]): Finding {
  const check = 'Redis primary'
  const places = [...new Set(masters.map(({ ip, port }) => `${ip}:${port}`))]
  const [place = ''] = places
  if (places.length > 1) {
    return fault(
      check,
      `sentinels disagree: ${places.join(', ')}`,
      'Wait until a running failover has ended; if they still disagree, let them see each other, or reset the wrong ones with SENTINEL RESET.',
    )
  }
  const down = masters.filter(({ flags }) => flags.includes('down'))
  if (down.length === 0) return ok(check, `${place}, as ${masters.length} sentinels agree`)
  return fault(
    check,
    `${place}, which ${down.length} of ${masters.length} sentinels cannot reach`,
    'Wait for the failover; if none happens within a minute, start a replica and enough sentinels.',
  )
}

/** Sentinels count failovers, and know since when a server has been the primary, or since when they have watched it. */
function lastFailover(masters: readonly z.output<typeof Master>[]): Finding {
  const epoch = Math.max(...masters.map((each) => each['config-epoch']))
  if (epoch === 0) return ok('Redis failover', 'none yet')
  const sinceMs = Math.max(...masters.map((each) => each['role-reported-time']))
  return ok('Redis failover', `the last one is number ${epoch}, at least ${Math.floor(sinceMs / 60_000)} minutes ago`)
}
