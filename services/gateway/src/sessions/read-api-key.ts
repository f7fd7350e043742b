import { LRUCache } from 'lru-cache'
import { apiKeyDigest, FindApiKey, type Permission } from '@storefront/contracts'
import { ask, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { partyCounts } from '../front/party-counts.ts'
import type { Caller } from './caller.ts'
import { knownPermissions } from './caller.ts'

/** Identity is asked for a key once in this time, however busy it is. */
const REMEMBERED_MS = 60_000
/** So long a key that was good goes on when identity cannot be asked: machines stop for good at the first 401. */
const TRUSTED_MS = 60 * 60_000
/** When identity could not be asked, nobody waits for it again so soon. */
const RETRY_MS = 5000
/** Short, so that a key that was just made, or a database that was just restored, does not have to wait. */
const UNKNOWN_REMEMBERED_MS = 5000
const ASK_TIMEOUT_MS = 1000
/** A shop has up to a hundred. */
const MAX_REMEMBERED = 1000
/** Made-up keys have a place of their own, so that they cannot crowd out good ones. */
const MAX_UNKNOWN_REMEMBERED = 20_000
/** Questions under way about keys nobody has met: beyond this they are not asked, for only who makes up keys has so many. */
const MAX_ASKING = 200
/** Of one party: several machines behind one address, but not all there is room for. */
const MAX_ASKING_PER_PARTY = 20

interface FoundKey {
  id: string
  permissions: Permission[]
  expiresAtMs: number
}

interface Found {
  key: FoundKey
  askAgainMs: number
  trustedUntilMs: number
}

/**
 * @param party who shows the key, as limits count
 * @returns undefined for a key that is made up, revoked or expired, and for one nobody has met when identity cannot be asked
 */
export type ReadApiKey = (key: string, party: string) => Promise<Caller | undefined>

/** Makes the function that tells whose secret key this is. Of the key itself only a digest is kept or sent on. */
export function apiKeyReader(options: { messaging: Messaging; clock: Clock; log: Log }): ReadApiKey {
  const { messaging, clock, log } = options
  const found = new LRUCache<string, Found>({ max: MAX_REMEMBERED })
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN_REMEMBERED })
  const asking = new Map<string, Promise<FoundKey | undefined>>()
  const askers = partyCounts()
  let strangers = 0

  async function askIdentity(digest: string, before: Found | undefined): Promise<FoundKey | undefined> {
    try {
      const { key } = await ask(messaging, FindApiKey, { digest }, { timeoutMs: ASK_TIMEOUT_MS })
      const now = clock.now().getTime()
      if (!key) {
        found.delete(digest)
        unknown.set(digest, now + UNKNOWN_REMEMBERED_MS)
        return undefined
      }
      const expiresAtMs = key.expiresAt === undefined ? Infinity : Date.parse(key.expiresAt)
      const read = { id: key.id, permissions: knownPermissions(key.permissions), expiresAtMs }
      found.set(digest, { key: read, askAgainMs: now + REMEMBERED_MS, trustedUntilMs: now + TRUSTED_MS })
      return read
    } catch (error) {
      const now = clock.now().getTime()
      const trusted = before && before.trustedUntilMs > now ? before.key : undefined
      log.debug(
        { err: error, keyId: before?.key.id, trusted: trusted !== undefined },
        'nobody can say whose key this is',
      )
      if (before) before.askAgainMs = now + RETRY_MS
      return trusted
    }
  }

  /** What is made up must not keep others from asking, least of all those whose keys are good. */
  function askAboutStranger(digest: string, party: string): Promise<FoundKey | undefined> {
    const ofParty = askers.take(party)
    const isOver = () => {
      strangers--
      askers.release(party)
    }
    strangers++
    if (strangers <= MAX_ASKING && ofParty <= MAX_ASKING_PER_PARTY)
      return askIdentity(digest, undefined).finally(isOver)
    isOver()
    return Promise.resolve(undefined)
  }

  async function find(digest: string, party: string): Promise<FoundKey | undefined> {
    const now = clock.now().getTime()
    const before = found.get(digest)
    if (before && before.askAgainMs > now) return before.trustedUntilMs > now ? before.key : undefined
    if ((unknown.get(digest) ?? 0) > now) return undefined
    const underWay = asking.get(digest)
    if (underWay) return underWay
    const asked = (before ? askIdentity(digest, before) : askAboutStranger(digest, party)).finally(() =>
      asking.delete(digest),
    )
    asking.set(digest, asked)
    return asked
  }

  return async (text, party) => {
    const key = await find(apiKeyDigest(text), party)
    if (!key || key.expiresAtMs <= clock.now().getTime()) return undefined
    return { id: key.id, actor: { kind: 'admin', userId: key.id, permissions: key.permissions } }
  }
}
