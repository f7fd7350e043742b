import { histogram, SECONDS } from '@storefront/service'

const duration = histogram(
  'storefront_payment_provider_duration_seconds',
  'Calls to a payment provider by outcome: ok, rejected, or unsure (the effect is unknown)',
  ['provider', 'outcome'],
  SECONDS,
)

/** Far larger than any response of a provider to our requests. */
const RESPONSE_LIMIT = 2 * 1024 * 1024

export interface ProviderResponse {
  status: number
  headers: Headers
  text: string
}

/**
 * One HTTP call, read to its end. Redirects are not followed: credentials go only to the configured address.
 * @throws Error when it takes longer than the signal allows, the connection breaks or the response is too large
 */
export async function callProvider(
  provider: 'razorpay' | 'stripe',
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<ProviderResponse> {
  const startedMs = performance.now()
  let outcome: 'ok' | 'rejected' | 'unsure' = 'unsure'
  try {
    const result = await readWhole(url, init)
    if (result.status < 300) outcome = 'ok'
    else if (isRejectionStatus(result.status)) outcome = 'rejected'
    return result
  } finally {
    duration.observe({ provider, outcome }, (performance.now() - startedMs) / 1000)
  }
}

async function readWhole(url: string, init: RequestInit): Promise<ProviderResponse> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const { status, headers } = response
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > RESPONSE_LIMIT) throw new Error(`the response has more than ${RESPONSE_LIMIT} bytes`)
    parts.push(part)
  }
  return { status, headers, text: Buffer.concat(parts).toString('utf8') }
}

/** Statuses that leave it unknown whether the call had an effect, or that request a retry. */
const UNSURE: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Whether the provider understood the request and rejected it. */
export function isRejectionStatus(status: number): boolean {
  return status >= 400 && status < 500 && !UNSURE.has(status)
}
