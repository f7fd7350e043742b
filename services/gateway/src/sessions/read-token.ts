import { createHash } from 'node:crypto'
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { Permission, type Actor } from '@storefront/contracts'
import type { Clock } from '@storefront/chassis'

/** Longer than any token that identity signs. */
const MAX_TOKEN_LENGTH = 4096
const MAX_REMEMBERED = 20_000
/** A session costs one signature check in this time, however busy it is. */
const REMEMBERED_MS = 60_000
const CLOCK_TOLERANCE_SECONDS = 5

const known = new Set<string>(Permission.options)
const Claims = z.discriminatedUnion('aud', [
  z.object({ aud: z.literal('storefront'), sub: z.string().min(1), sid: z.string().min(1) }),
  z.object({
    aud: z.literal('admin'),
    sub: z.string().min(1),
    sid: z.string().min(1),
    // A permission this gateway has not heard of yet grants nothing here, and takes nothing else away.
    perms: z.array(z.string()).transform((all) => z.array(Permission).parse(all.filter((one) => known.has(one)))),
  }),
])

export interface Session {
  sessionId: string
  actor: Actor
}

/** @returns undefined for a token that is forged, expired or no session at all */
export type ReadToken = (token: string) => Promise<Session | undefined>

/** Makes the function that checks a session token: EdDSA and nothing else, from identity, for us, not expired. */
export function tokenReader(keys: JWTVerifyGetKey, clock: Clock): ReadToken {
  const remembered = new LRUCache<string, { session: Session | undefined; untilMs: number }>({ max: MAX_REMEMBERED })

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined
    // The digest and not the token: what lies in memory for a minute is of no use to a thief.
    const name = createHash('sha256').update(token).digest('base64url')
    const now = clock.now().getTime()
    const before = remembered.get(name)
    if (before && before.untilMs > now) return before.session
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        issuer: 'storefront',
        audience: ['storefront', 'admin'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: clock.now(),
      })
      const session = sessionOf(Claims.parse(payload))
      remembered.set(name, { session, untilMs: Math.min(now + REMEMBERED_MS, (payload.exp ?? 0) * 1000) })
      return session
    } catch (error) {
      if (isFinal(error)) remembered.set(name, { session: undefined, untilMs: now + REMEMBERED_MS })
      return undefined
    }
  }
}

function sessionOf(claims: z.output<typeof Claims>): Session {
  const sessionId = claims.sid
  if (claims.aud === 'storefront') return { sessionId, actor: { kind: 'customer', customerId: claims.sub, sessionId } }
  return { sessionId, actor: { kind: 'admin', userId: claims.sub, sessionId, permissions: claims.perms } }
}

/** Whether a token can never become good. An unknown key may be known in a moment, so that is not final. */
function isFinal(error: unknown): boolean {
  return error instanceof errors.JWTExpired || error instanceof errors.JWSSignatureVerificationFailed
}
