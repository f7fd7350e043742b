import { ANONYMOUS, SECRET_API_KEY, type Actor } from '@storefront/contracts'
import type { Caller } from './caller.ts'
import type { ReadApiKey } from './read-api-key.ts'
import type { ReadToken } from './read-token.ts'
import type { IsOpen } from './session-state.ts'

/** Among all possible tokens, only a JWT has two dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

interface CallerCredentials {
  /** The header as received. */
  authorization?: string | undefined
  /** From the cookie of the console. */
  consoleToken?: string | undefined
}

/** @param client that sends the credentials, for limits */
export type IdentifyCaller = (credentials: CallerCredentials, client: string) => Promise<Actor>

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

  async function callerOfToken(token: string, ofConsole: boolean): Promise<Caller | undefined> {
    const caller = isJwt(token) ? await readToken(token) : undefined
    return caller?.ofConsole === ofConsole ? caller : undefined
  }

  async function callerOf(
    { authorization, consoleToken }: CallerCredentials,
    client: string,
  ): Promise<Caller | undefined> {
    const bearer = bearerOf(authorization)
    if (bearer === undefined) return consoleToken === undefined ? undefined : callerOfToken(consoleToken, true)
    return SECRET_API_KEY.test(bearer) ? readApiKey(bearer, client) : callerOfToken(bearer, false)
  }

  return async (credentials, client) => {
    const caller = await callerOf(credentials, client)
    return caller && (await isOpen(caller.id)) ? caller.actor : ANONYMOUS
  }
}

/** @returns the token of a header, which precedes that of the console's cookie */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}

export function isJwt(token: string): boolean {
  return JWT.test(token)
}

/** A key that a storefront publishes: its caller is anonymous, and has no access to /admin. */
export function isPublishableKey(authorization: string): boolean {
  return /^Bearer +pk_/i.test(authorization)
}
