import { ANONYMOUS, type Actor } from '@storefront/contracts'
import type { ReadToken } from './read-token.ts'
import type { IsOpen } from './session-state.ts'

/**
 * Tells who a request comes from. Whatever is wrong with a token, its bearer is an anonymous visitor and not an error:
 * the shop keeps working for somebody with an expired session, and a route that needs more says 401 itself.
 */
export async function whoIsAsking(
  authorization: string | undefined,
  readToken: ReadToken,
  isOpen: IsOpen,
): Promise<Actor> {
  const token = bearerToken(authorization)
  if (token === undefined) return ANONYMOUS
  const session = await readToken(token)
  return session && (await isOpen(session.sessionId)) ? session.actor : ANONYMOUS
}

/** A key that a storefront carries for all to see: worth an anonymous visitor, and nothing at all under /admin. */
export function isPublishableKey(authorization: string): boolean {
  return /^Bearer +pk_/i.test(authorization)
}

/** Of all that may come as a token, only a JWT has two dots. */
function bearerToken(authorization: string | undefined): string | undefined {
  const match = authorization === undefined ? null : /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization)
  return match?.[1]
}
