import { createStorefrontClient, StorefrontError } from '@storefront/client'
import { CONSOLE_HEADER } from '@storefront/contracts/console'
import { errorSentence } from './messages/error-sentence.ts'
import { BASE_PATH } from './page-settings.ts'
import { member } from './parts/json.ts'

/** `ended`: the session expired or was revoked. `left`: the person signed out, or another person signed in. */
export type SessionEnd = 'ended' | 'left'
let onSignedOut: (end: SessionEnd) => void = () => {}
let nextSignIn = Promise.withResolvers<void>()

/** Sets the one function that is called when the session ends. */
export function whenSignedOut(listener: (end: SessionEnd) => void): void {
  onSignedOut = listener
}

/** Reports that the person has signed out in this window, or that another person has signed in. */
export function reportSignOut(): void {
  onSignedOut('left')
}

/** The same person has a session again: what was rejected without one is sent again. */
export function signedInAgain(): void {
  nextSignIn.resolve()
  nextSignIn = Promise.withResolvers()
}

/** Routes whose 401 says that no person is signed in: it does not open the sign-in over the page. */
const SIGN_IN = /\/admin\/(?:console\/session|auth\/me)$/

/**
 * Sends a request of the console, once more after a new sign-in if the session has ended. Call it only for what is not
 * JSON: everything else goes through `shop`.
 */
export async function fetchOfShop(request: Request): Promise<Response> {
  request.headers.set(CONSOLE_HEADER, '1')
  const repeated = request.clone()
  const awaited = nextSignIn
  const response = await fetch(request)
  if (response.status !== 401 || SIGN_IN.test(request.url) || !(await isSessionOver(response))) return response
  // Unless the person has signed in again since the request was sent.
  if (awaited === nextSignIn) onSignedOut('ended')
  await awaited.promise
  // The timeout of the request may have passed while the person signed in.
  const isLate = request.signal.reason instanceof DOMException && request.signal.reason.name === 'TimeoutError'
  return fetchOfShop(isLate ? new Request(repeated, { signal: null }) : repeated)
}

/** The shop's API, with the session of the cookie. */
export const shop = createStorefrontClient({
  baseUrl: `${globalThis.location.origin}${BASE_PATH}`,
  validate: 'off',
  fetch: fetchOfShop,
})

/** A wrong password in a confirmation has status 401 too, but does not end the session. */
async function isSessionOver(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return member(body, 'code') === 'unauthenticated'
}

/** The sentence to show for an error of the shop, in the language of the console. */
export function messageOf(error: unknown): string {
  if (error instanceof StorefrontError) return errorSentence(error.code, error.message)
  return error instanceof Error ? error.message : String(error)
}

/** Whether someone else changed the record since it was read (`If-Match`). */
export function isConflict(error: unknown): boolean {
  return error instanceof StorefrontError && error.code === 'conflict'
}
