import { StorefrontError } from '@storefront/client'

/** Together longer than the minute in which the shop counts requests. */
const TRIES = 8
const PAUSE_MS = 10_000

/**
 * Sends a request again while the shop has too many, or while a part of it is away.
 * @param send must be safe to repeat
 */
export async function patiently<Reply>(send: () => Promise<Reply>, tries = TRIES): Promise<Reply> {
  try {
    return await send()
  } catch (error) {
    if (tries <= 1 || !isTemporary(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return patiently(send, tries - 1)
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof StorefrontError && (error.status === undefined || [429, 502, 503, 504].includes(error.status))
}
