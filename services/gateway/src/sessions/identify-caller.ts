import { ANONYMOUS, SECRET_API_KEY, type Actor } from '@storefront/contracts'
import type { Caller } from './caller.ts'
import type { ReadApiKey } from './read-api-key.ts'
import type { ReadToken } from './read-token.ts'
import type { IsOpen } from './session-state.ts'

/** Among all possible tokens, only a JWT has two dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * @param authorization the header as received
 * @param client that sends it, for limits
 */
export type IdentifyCaller = (authorization: string | undefined, client: string) => Promise<Actor>

/**
 * Determines the caller of a request from a session token or a secret key. With an invalid one the caller is anonymous
 * and gets no error: the shop keeps working for a customer with an expired session, and a route that requires more
 * returns 401 itself.
 */
export function identifyCaller(sources: {
  readToken: ReadToken
  readApiKey: ReadApiKey
  isOpen: IsOpen
}): IdentifyCaller {
  const { readToken, readApiKey, isOpen } = sources

  async function callerOf(bearer: string, client: string): Promise<Caller | undefined> {
    if (JWT.test(bearer)) return readToken(bearer)
    if (SECRET_API_KEY.test(bearer)) return readApiKey(bearer, client)
    return undefined
  }

  return async (authorization, client) => {
    const bearer = authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const caller = bearer === undefined ? undefined : await callerOf(bearer, client)
    return caller && (await isOpen(caller.id)) ? caller.actor : ANONYMOUS
  }
}

/** A key that a storefront publishes: its caller is anonymous, and has no access to /admin. */
export function isPublishableKey(authorization: string): boolean {
  return /^Bearer +pk_/i.test(authorization)
}
