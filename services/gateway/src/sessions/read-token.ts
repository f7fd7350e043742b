import { hash } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { CLOCK_SKEW_MS, TOKEN_AUDIENCES, TOKEN_ISSUER } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import { knownPermissions, type Caller } from './caller.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Longer than any token that identity signs. */
const MAX_TOKEN_LENGTH = 4096
const MAX_REMEMBERED = 20_000
/** The signature of a session is checked at most once in this time. */
const REMEMBERED_MS = 60_000

const Claims = z.discriminatedUnion('aud', [
  z.object({ aud: z.literal(TOKEN_AUDIENCES.customer), sub: z.string().min(1), sid: z.string().min(1) }),
  z.object({
    aud: z.enum([TOKEN_AUDIENCES.admin, TOKEN_AUDIENCES.console]),
    sub: z.string().min(1),
    sid: z.string().min(1),
    perms: z.array(z.string()).transform(knownPermissions),
  }),
])

interface Remembered {
  caller: Caller | undefined
  untilMs: number
  /** The version of the signing keys: when a key is withdrawn, all cached results of it are dropped. */
  version: number
}

/** @returns undefined for a token that is forged, expired or not a session */
export type ReadToken = (token: string) => Promise<Caller | undefined>

/**
 * Creates the function that verifies a session token: EdDSA only, issued by identity, for this audience, not expired.
 */
export function tokenReader(keys: Pick<SigningKeys, 'find' | 'version'>, clock: Clock): ReadToken {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED })

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined
    // The digest is cached and not the token, so that an attacker who reads this memory gains nothing.
    const name = hash('sha256', token, 'base64url')
    const now = clock.now().getTime()
    const version = keys.version()
    const before = remembered.get(name)
    if (before && before.untilMs > now && before.version === version) return before.caller
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        algorithms: ['EdDSA'],
        issuer: TOKEN_ISSUER,
        audience: Object.values(TOKEN_AUDIENCES),
        clockTolerance: CLOCK_SKEW_MS / 1000,
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: clock.now(),
      })
      const caller = callerOf(Claims.parse(payload))
      const endsMs = (payload.exp ?? 0) * 1000 + CLOCK_SKEW_MS
      remembered.set(name, { caller, untilMs: Math.min(now + REMEMBERED_MS, endsMs), version })
      return caller
    } catch (error) {
      if (isFinal(error)) remembered.set(name, { caller: undefined, untilMs: now + REMEMBERED_MS, version })
      return undefined
    }
  }
}

function callerOf(claims: z.output<typeof Claims>): Caller {
  const { sub, sid: sessionId } = claims
  if (claims.aud === TOKEN_AUDIENCES.customer) {
    return { id: sessionId, actor: { kind: 'customer', customerId: sub, sessionId }, ofConsole: false }
  }
  const actor = { kind: 'admin', userId: sub, sessionId, permissions: claims.perms } as const
  return { id: sessionId, actor, ofConsole: claims.aud === TOKEN_AUDIENCES.console }
}

/** Whether a token can never become valid. An unknown key may become known in a moment, so that is not final. */
function isFinal(error: unknown): boolean {
  return error instanceof errors.JWTExpired || error instanceof errors.JWSSignatureVerificationFailed
}
