import { createStorefrontClient, StorefrontError } from '@storefront/client'
import { CONSOLE_HEADER } from '@storefront/contracts/console'
import { errorSentence } from './messages/error-sentence.ts'
import { BASE_PATH } from './page-settings.ts'

type Listener = () => void
let onSignedOut: Listener = () => {}

/** Called when the shop says that the session has ended. */
export function whenSignedOut(listener: Listener): void {
  onSignedOut = listener
}

/** Their own errors say whether a person is signed in. */
const SIGN_IN = /\/admin\/(?:console\/session|auth\/me)$/

/** Sends a request of the console. For what is not JSON: everything else goes through `shop`. */
export async function fetchOfShop(request: Request): Promise<Response> {
  request.headers.set(CONSOLE_HEADER, '1')
  const response = await fetch(request)
  if (response.status === 401 && !SIGN_IN.test(request.url) && (await isSessionOver(response))) onSignedOut()
  return response
}

/** The shop's API, with the session of the cookie. */
export const shop = createStorefrontClient({
  baseUrl: `${globalThis.location.origin}${BASE_PATH}`,
  validate: 'off',
  fetch: fetchOfShop,
})

/** The same status stands for a wrong password where the shop requires it once more, which ends no session. */
async function isSessionOver(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'unauthenticated'
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
