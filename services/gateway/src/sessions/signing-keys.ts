import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { every, type Clock, type Log, type Timer } from '@storefront/chassis'
import type { Upstreams } from '../hop/upstreams.ts'

const KEYS_PATH = '/.well-known/jwks.json'
const TIMEOUT_MS = 2000
/** An unknown key id, a made-up one too, makes the gateway ask again at most this often. */
const COOLDOWN_MS = 3000
/** So that a key that identity has withdrawn stops counting here as well, should the signal get lost. */
const REFRESH_MS = 60_000
const FIRST_TRY_MS = 500
/** Without any key yet a good token would be taken for a bad one: then asking waits no longer than this. */
const IMPATIENT_MS = 50

export interface SigningKeys {
  find: JWTVerifyGetKey
  /** Another number whenever the keys are others: what was found out with the ones before is to be found out again. */
  version(): number
  /** For when the keys are said to have changed: fetches them now, and until it succeeds. */
  refresh(): void
  stop(): Promise<void>
}

/**
 * The public keys that sessions are signed with, from identity. Keys once known stay known while identity is down:
 * nobody is signed out by an outage.
 */
export function signingKeys(options: { upstreams: Pick<Upstreams, 'read'>; clock: Clock; log: Log }): SigningKeys {
  const { upstreams, clock, log } = options
  let lastAttemptMs = 0
  let fetchedMs = 0
  let lastText: string | undefined
  let differences = 0
  let version = 0
  let changed = false
  const keys = createRemoteJWKSet(new URL(`http://identity${KEYS_PATH}`), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: Infinity,
    // jose counts only successful fetches towards its cooldown; a dead identity would be asked with every forged token.
    [customFetch]: async (_url, { signal }) => {
      const sinceMs = clock.now().getTime() - lastAttemptMs
      if (fetchedMs > 0 && sinceMs < COOLDOWN_MS) throw new Error('the signing keys are known')
      if (sinceMs < IMPATIENT_MS) await new Promise((resolve) => setTimeout(resolve, IMPATIENT_MS))
      lastAttemptMs = clock.now().getTime()
      const answer = await upstreams.read('identity', KEYS_PATH, { signal })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) return new Response(null, { status: 502 })
      fetchedMs = lastAttemptMs
      if (text !== lastText) differences++
      lastText = text
      return new Response(text)
    },
  })

  const timer: Timer = every(FIRST_TRY_MS, 'signing keys', log, async () => {
    const now = clock.now().getTime()
    const urgent = changed
    if (!urgent && fetchedMs > 0 && now - fetchedMs < REFRESH_MS) return
    try {
      if (urgent) {
        // What is under way may have left identity before the change.
        while (keys.reloading) await keys.reload().catch(() => {})
        changed = false
        lastAttemptMs = 0
      }
      await keys.reload()
    } catch (error) {
      log.debug({ err: error }, 'the signing keys could not be fetched')
      changed ||= urgent
      if (fetchedMs > 0) fetchedMs = now - REFRESH_MS + COOLDOWN_MS
    }
  })
  timer.poke()

  return {
    find: keys,
    version() {
      // While an answer is being taken in, the keys are still the ones from before.
      if (!keys.reloading) version = differences
      return version
    },
    refresh() {
      changed = true
      timer.poke()
    },
    stop: () => timer.stop(),
  }
}
