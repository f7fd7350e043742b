import { LRUCache } from 'lru-cache'
import { apiKeyDigest, FindApiKey, type Permission } from '@storefront/contracts'
import { sendRequest, type Messaging } from '@storefront/messaging'
import type { Clock, Log } from '@storefront/service'
import { clientCounts } from '../front/client-counts.ts'
import type { Caller } from './caller.ts'
import { knownPermissions } from './caller.ts'

/** Identity is called for a key at most once in this time. */
const REMEMBERED_MS = 60_000
/**
 * A valid key stays valid for this long while identity cannot be reached: many API clients do not retry after a 401.
 */
const TRUSTED_MS = 60 * 60_000
/** After a failed call to identity, no request waits for the next one this soon. */
const RETRY_MS = 5000
/** Short, so that a new key, or a restored database, works soon. */
const UNKNOWN_REMEMBERED_MS = 5000
const REQUEST_TIMEOUT_MS = 1000
/** A shop has up to a hundred keys. */
const MAX_REMEMBERED = 1000
/** Invalid keys have a separate cache, so that they cannot evict valid ones. */
const MAX_UNKNOWN_REMEMBERED = 20_000
/** The limit of concurrent calls about unknown keys: only an attacker needs so many. */
const MAX_PENDING = 200
/** The limit for one client: enough for several machines behind one address, but not all calls. */
const MAX_PENDING_PER_CLIENT = 20

interface FoundKey {
  id: string
  permissions: Permission[]
  expiresAtMs: number
}

interface Found {
  key: FoundKey
  checkAgainMs: number
  trustedUntilMs: number
}

/**
 * @param client that sends the key, for limits
 * @returns undefined for a key that is invalid, revoked or expired, and for an unknown one while identity cannot be
 * reached
 */
export type ReadApiKey = (key: string, client: string) => Promise<Caller | undefined>

/** Creates the function that finds the owner of a secret key. Only a digest of the key is kept or sent on. */
export function apiKeyReader(options: { messaging: Messaging; clock: Clock; log: Log }): ReadApiKey {
  const { messaging, clock, log } = options
  const found = new LRUCache<string, Found>({ max: MAX_REMEMBERED })
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN_REMEMBERED })
  const pending = new Map<string, Promise<FoundKey | undefined>>()
  const unknownKeys = unknownKeyLimit()

  async function requestFromIdentity(digest: string, before: Found | undefined): Promise<FoundKey | undefined> {
    try {
      const { key } = await sendRequest(messaging, FindApiKey, { digest }, { timeoutMs: REQUEST_TIMEOUT_MS })
      const now = clock.now().getTime()
      if (!key) {
        found.delete(digest)
        unknown.set(digest, now + UNKNOWN_REMEMBERED_MS)
        return undefined
      }
      const expiresAtMs = key.expiresAt === undefined ? Infinity : Date.parse(key.expiresAt)
      const read = { id: key.id, permissions: knownPermissions(key.permissions), expiresAtMs }
      found.set(digest, { key: read, checkAgainMs: now + REMEMBERED_MS, trustedUntilMs: now + TRUSTED_MS })
      return read
    } catch (error) {
      const now = clock.now().getTime()
      const trusted = before && before.trustedUntilMs > now ? before.key : undefined
      log.debug(
        { err: error, keyId: before?.key.id, trusted: trusted !== undefined },
        'the owner of a key cannot be determined: identity cannot be reached',
      )
      if (before) before.checkAgainMs = now + RETRY_MS
      return trusted
    }
  }

  /** Calls about invalid keys must not block those about valid ones. */
  function requestUnknownKey(digest: string, client: string): Promise<FoundKey | undefined> {
    const release = unknownKeys.take(client)
    return release ? requestFromIdentity(digest, undefined).finally(release) : Promise.resolve(undefined)
  }

  async function find(digest: string, client: string): Promise<FoundKey | undefined> {
    const now = clock.now().getTime()
    const before = found.get(digest)
    if (before && before.checkAgainMs > now) return before.trustedUntilMs > now ? before.key : undefined
    if ((unknown.get(digest) ?? 0) > now) return undefined
    const underWay = pending.get(digest)
    if (underWay) return underWay
    const request = (before ? requestFromIdentity(digest, before) : requestUnknownKey(digest, client)).finally(() =>
      pending.delete(digest),
    )
    pending.set(digest, request)
    return request
  }

  return async (text, client) => {
    const key = await find(apiKeyDigest(text), client)
    if (!key || key.expiresAtMs <= clock.now().getTime()) return undefined
    return { id: key.id, actor: { kind: 'admin', userId: key.id, permissions: key.permissions }, ofConsole: false }
  }
}

/** Counts concurrent calls about unknown keys, in total and per client. */
function unknownKeyLimit(): { take: (client: string) => (() => void) | undefined } {
  const requesters = clientCounts()
  let unknownKeys = 0
  return {
    take(client) {
      const ofClient = requesters.take(client)
      unknownKeys++
      const release = () => {
        unknownKeys--
        requesters.release(client)
      }
      if (unknownKeys <= MAX_PENDING && ofClient <= MAX_PENDING_PER_CLIENT) return release
      release()
      return undefined
    },
  }
}
