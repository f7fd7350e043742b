import { StorefrontError } from '@storefront/client'

/** All pauses together are longer than the minute in which the shop counts requests. */
const TRIES = 8
const PAUSE_MS = 10_000

/**
 * Repeats a request while the shop rejects it as one too many, or while a part of the shop is not available.
 * @param send must be safe to repeat
 */
export async function withRetries<Reply>(send: () => Promise<Reply>, tries = TRIES): Promise<Reply> {
  try {
    return await send()
  } catch (error) {
    if (tries <= 1 || !isTemporary(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return withRetries(send, tries - 1)
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof StorefrontError && (error.status === undefined || [429, 502, 503, 504].includes(error.status))
}
