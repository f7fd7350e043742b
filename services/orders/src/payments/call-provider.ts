/** Far above what a provider answers to any of our questions. */
const ANSWER_LIMIT = 2 * 1024 * 1024

export interface ProviderAnswer {
  status: number
  headers: Headers
  text: string
}

/**
 * One call over HTTP, read to its end. Redirects are not followed: credentials go to the address that was configured and to
 * no other.
 * @throws Error when it takes longer than the signal allows, the connection breaks or the answer has no end
 */
export async function callProvider(url: string, init: RequestInit & { signal: AbortSignal }): Promise<ProviderAnswer> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const { status, headers } = response
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > ANSWER_LIMIT) throw new Error(`the answer has more than ${ANSWER_LIMIT} bytes`)
    parts.push(part)
  }
  return { status, headers, text: Buffer.concat(parts).toString('utf8') }
}

/** Answers of which nobody knows whether the call had an effect, or which ask to try again. */
const UNSURE: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Whether the provider understood and said no. */
export function isRefusalStatus(status: number): boolean {
  return status >= 400 && status < 500 && !UNSURE.has(status)
}
