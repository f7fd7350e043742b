import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { every, type Clock, type Log, type Timer } from '@storefront/service'
import type { Upstreams } from '../upstream/upstreams.ts'

const KEYS_PATH = '/.well-known/jwks.json'
const TIMEOUT_MS = 2000
/** An unknown key id, including an invented one, causes at most one fetch in this time. */
const COOLDOWN_MS = 3000
/** So that a key that identity has withdrawn becomes invalid here even if the signal gets lost. */
const REFRESH_MS = 60_000
const FIRST_TRY_MS = 500
/** Without any key a valid token would be rejected: then a fetch is repeated no later than this. */
const RETRY_WITHOUT_KEYS_MS = 50

export interface SigningKeys {
  find: JWTVerifyGetKey
  /** Changes whenever the keys change: results from previous keys must be computed again. */
  version(): number
  /** Called when the keys have changed: fetches them now, and until it succeeds. */
  refresh(): void
  stop(): Promise<void>
}

interface SigningKeysOptions {
  upstreams: Pick<Upstreams, 'read'>
  clock: Clock
  log: Log
}

/**
 * The public keys that sessions are signed with, from identity. Known keys stay known while identity is down: an
 * outage signs no user out.
 */
export function signingKeys({ upstreams, clock, log }: SigningKeysOptions): SigningKeys {
  let lastAttemptMs = 0
  let fetchedMs = 0
  let lastText: string | undefined
  let fetchedVersion = 0
  let version = 0
  let changed = false
  const keys = createRemoteJWKSet(new URL(`http://identity${KEYS_PATH}`), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: Infinity,
    // jose counts only successful fetches towards its cooldown; identity, when down, would be called with every forged
    // token.
    [customFetch]: async (_url, { signal }) => {
      await spaceFetches(clock.now().getTime() - lastAttemptMs, { hasKeys: fetchedMs > 0 })
      lastAttemptMs = clock.now().getTime()
      const response = await upstreams.read('identity', KEYS_PATH, { signal })
      const text = await response.body.text()
      if (response.statusCode !== 200) return new Response(null, { status: 502 })
      fetchedMs = lastAttemptMs
      if (text !== lastText) fetchedVersion++
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
        // The response of a running fetch may have been sent before the change.
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
  timer.wake()

  return {
    find: keys,
    version() {
      // While a reply is being processed, the keys are still the previous ones.
      if (!keys.reloading) version = fetchedVersion
      return version
    },
    refresh() {
      changed = true
      timer.wake()
    },
    stop: () => timer.stop(),
  }
}

/**
 * @param sinceMs since the last attempt
 * @throws Error when the last attempt was too recent
 */
async function spaceFetches(sinceMs: number, { hasKeys }: { hasKeys: boolean }): Promise<void> {
  if (hasKeys && sinceMs < COOLDOWN_MS) throw new Error('the signing keys were requested a moment ago')
  if (sinceMs < RETRY_WITHOUT_KEYS_MS) await new Promise((resolve) => setTimeout(resolve, RETRY_WITHOUT_KEYS_MS))
}
