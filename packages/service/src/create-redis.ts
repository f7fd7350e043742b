import { Redis, type RedisOptions } from 'ioredis'

const SENTINEL_PORT = 26_379
/** Without it a sentinel that accepts a connection and does not reply is awaited for as long as the process lives. */
const SENTINEL_TIMEOUT_MS = 1000
const SENTINELS =
  /^redis-sentinel:\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^@/#]+)(?:\/(?<db>\d+))?#(?<name>.+)$/

/**
 * Creates a client of Redis, or of the Redis that its sentinels name as the primary.
 * @param url `redis://:password@host:6379`, or as Lettuce writes it
 * `redis-sentinel://:password@sentinel-1:26379,sentinel-2:26379/0#name-of-the-primary`. Sentinels get the password too.
 *
 * Not with `failoverDetector`: a report of sentinels while the client connects ends it for good (ioredis 6.0.0). A
 * primary that hangs is noticed by `socketTimeout`, one that became a replica by its error.
 * @throws Error for the address of sentinels in another form; the message does not contain the address
 */
export function createRedis(url: string, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const address = sentinelAddress(url)
  if (address === undefined) return new Redis(url, options)
  const { sentinels, name, db, user, password } = address
  return new Redis({
    ...options,
    sentinels,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    name,
    db,
    ...(user && { username: user }),
    ...(password && { password, sentinelPassword: password }),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
  })
}

export interface SentinelAddress {
  sentinels: { host: string; port: number }[]
  /** What the sentinels call the primary. */
  name: string
  db: number
  /** Empty when the address has none. */
  user: string
  password: string
}

/**
 * Reads an address of sentinels, in the form that `createRedis` describes.
 * @returns undefined for the address of a Redis
 * @throws Error for another form; the message does not contain the address
 */
export function sentinelAddress(url: string): SentinelAddress | undefined {
  if (!url.startsWith('redis-sentinel:')) return undefined
  const { user = '', password = '', hosts, db, name } = SENTINELS.exec(url)?.groups ?? {}
  if (hosts === undefined || name === undefined) {
    throw new Error('the address of sentinels looks like redis-sentinel://:password@host:26379,host:26379/0#primary')
  }
  return {
    sentinels: hosts.split(',').map(sentinelOf),
    name: decodeURIComponent(name),
    db: Number(db ?? 0),
    user: decodeURIComponent(user),
    password: decodeURIComponent(password),
  }
}

function sentinelOf(address: string): { host: string; port: number } {
  const [, host = address, port] = /^(.+?)(?::(\d+))?$/.exec(address.trim()) ?? []
  return { host, port: Number(port ?? SENTINEL_PORT) }
}
