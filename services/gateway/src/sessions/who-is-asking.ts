import { ANONYMOUS, SECRET_API_KEY, type Actor } from '@storefront/contracts'
import type { Caller } from './caller.ts'
import type { ReadApiKey } from './read-api-key.ts'
import type { ReadToken } from './read-token.ts'
import type { IsOpen } from './session-state.ts'

/** Of all that may come as a token, only a JWT has two dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * @param authorization the header as it came
 * @param party who sends it, as limits count
 */
export type WhoIsAsking = (authorization: string | undefined, party: string) => Promise<Actor>

/**
 * Tells who a request comes from: whoever a session token or a secret key speaks for. Whatever is wrong with it, its
 * bearer is an anonymous visitor and not an error: the shop keeps working for somebody with an expired session, and a
 * route that needs more says 401 itself.
 */
export function whoIsAsking(sources: { readToken: ReadToken; readApiKey: ReadApiKey; isOpen: IsOpen }): WhoIsAsking {
  const { readToken, readApiKey, isOpen } = sources

  async function callerOf(bearer: string, party: string): Promise<Caller | undefined> {
    if (JWT.test(bearer)) return readToken(bearer)
    if (SECRET_API_KEY.test(bearer)) return readApiKey(bearer, party)
    return undefined
  }

  return async (authorization, party) => {
    const bearer = authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const caller = bearer === undefined ? undefined : await callerOf(bearer, party)
    return caller && (await isOpen(caller.id)) ? caller.actor : ANONYMOUS
  }
}

/** A key that a storefront carries for all to see: worth an anonymous visitor, and nothing at all under /admin. */
export function isPublishableKey(authorization: string): boolean {
  return /^Bearer +pk_/i.test(authorization)
}
