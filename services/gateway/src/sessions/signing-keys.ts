import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from 'jose'
import { every, type Clock, type Log, type Timer } from '@storefront/chassis'

const TIMEOUT_MS = 2000
/** An unknown key id, a made-up one too, makes the gateway ask again at most this often. */
const COOLDOWN_MS = 3000
/** So that a key that identity has withdrawn stops counting here as well. */
const REFRESH_MS = 5 * 60_000
const FIRST_TRY_MS = 500
/** Without any key yet a good token would be taken for a bad one: then asking waits no longer than this. */
const IMPATIENT_MS = 50

/**
 * The public keys that sessions are signed with, from identity. Keys once known stay known while identity is down:
 * nobody is signed out by an outage.
 */
export function signingKeys(options: { identityUrl: string; clock: Clock; log: Log }): {
  keys: RemoteJWKSet
  stop: () => Promise<void>
} {
  const { clock, log } = options
  let lastAttemptMs = 0
  let fetchedMs = 0
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', options.identityUrl), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: Infinity,
    // jose counts only successful fetches towards its cooldown; a dead identity would be asked with every forged token.
    [customFetch]: async (url, request) => {
      const sinceMs = clock.now().getTime() - lastAttemptMs
      if (fetchedMs > 0 && sinceMs < COOLDOWN_MS) throw new Error('the signing keys are known')
      if (sinceMs < IMPATIENT_MS) await new Promise((resolve) => setTimeout(resolve, IMPATIENT_MS))
      lastAttemptMs = clock.now().getTime()
      const answer = await fetch(url, request)
      if (answer.ok) fetchedMs = lastAttemptMs
      return answer
    },
  })

  const refresh: Timer = every(FIRST_TRY_MS, 'signing keys', log, async () => {
    const now = clock.now().getTime()
    if (fetchedMs > 0 && now - fetchedMs < REFRESH_MS) return
    try {
      await keys.reload()
    } catch (error) {
      log.debug({ err: error }, 'the signing keys could not be fetched')
      if (fetchedMs > 0) fetchedMs = now - REFRESH_MS + COOLDOWN_MS
    }
  })
  refresh.poke()
  return { keys, stop: () => refresh.stop() }
}
