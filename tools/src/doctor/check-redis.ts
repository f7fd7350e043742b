import type { Redis } from 'ioredis'
import { sentinelAddress } from '@storefront/service'
import { withRedis } from '../infrastructure/with-redis.ts'
import { messageOf, StartError } from '../start-error.ts'
import { checkSentinels } from './check-sentinels.ts'
import { compareClocks } from './compare-clocks.ts'
import type { DoctorContext } from './doctor-context.ts'
import { fault, ok, warn, type Finding } from './finding.ts'
import { redisReplicas } from './redis-replicas.ts'

const LEAST_VERSION = 7
const DEADLINE_MS = 5000
/**
 * The price projection of a variant takes some 400 bytes. A hash with longer values than this takes five times the
 * memory.
 */
const COMPACT_VALUE_BYTES = 1024

/** Checks the Redis that REDIS_URL leads to, its replicas and its sentinels. */
export async function checkRedis(context: DoctorContext): Promise<Finding[]> {
  const [server, sentinels] = await Promise.all([checkServer(context), checkItsSentinels(context)])
  return [...server, ...sentinels]
}

async function checkItsSentinels({ addresses }: DoctorContext): Promise<Finding[]> {
  try {
    const address = sentinelAddress(addresses.redis)
    return address === undefined ? [] : await checkSentinels(address)
  } catch {
    return [] // The address is invalid or missing, which is reported with the server.
  }
}

async function checkServer({ addresses, clock, env }: DoctorContext): Promise<Finding[]> {
  try {
    return await withRedis(addresses.redis, { timeoutMs: DEADLINE_MS }, async (redis) => {
      const info = await redis.info()
      return [
        version(/^(?:valkey|redis)_version:(\S+)/m.exec(info)?.[1] ?? '0'),
        eviction(info),
        ...redisReplicas(info, { env, hasSentinels: sentinelAddress(addresses.redis) !== undefined }),
        (await compactValues(redis)) ?? [],
        await compareClocks('Redis', clock, async () => {
          const [seconds, microseconds] = await redis.time()
          return Number(seconds) * 1000 + Number(microseconds) / 1000
        }),
      ].flat()
    })
  } catch (error) {
    return [unreachable(error)]
  }
}

function unreachable(error: unknown): Finding {
  if (error instanceof StartError) return fault('Redis', 'not found', error.message)
  const message = messageOf(error)
  if (/^(WRONGPASS|NOAUTH|ERR AUTH)/.test(message)) {
    return fault('Redis', 'rejects the password', 'Put the right password into REDIS_URL, or restore secrets.json.')
  }
  return fault('Redis', `does not respond (${message})`, 'Start Redis (npm start does), or correct REDIS_URL.')
}

function version(found: string): Finding {
  if (Number.parseInt(found, 10) >= LEAST_VERSION) return ok('Redis', `version ${found}`)
  return fault('Redis', `version ${found}`, `Move to Redis ${LEAST_VERSION} or Valkey.`)
}

function eviction(info: string): Finding {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction'
  if (policy === 'noeviction') return ok('Redis eviction', policy)
  return fault(
    'Redis eviction',
    policy,
    'Set maxmemory-policy to noeviction, because an evicted revocation would make its session valid again until it is looked up.',
  )
}

/** Some Redis providers forbid this command. */
async function compactValues(redis: Redis): Promise<Finding | undefined> {
  const response = await redis.config('GET', 'hash-max-listpack-value').catch(() => undefined)
  const bytes = Array.isArray(response) ? Number(response[1]) : undefined
  if (bytes === undefined || Number.isNaN(bytes)) return undefined
  const check = 'Redis hashes'
  if (bytes >= COMPACT_VALUE_BYTES) return ok(check, `compact up to ${bytes} bytes`)
  return warn(
    check,
    `compact up to ${bytes} bytes`,
    `Set hash-max-listpack-value to ${COMPACT_VALUE_BYTES}, which saves most of the memory of the price projection.`,
  )
}
