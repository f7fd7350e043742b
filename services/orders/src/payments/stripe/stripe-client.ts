import type { Stripe } from 'stripe'
import { z } from 'zod'
import { callProvider, isRejectionStatus } from '../call-provider.ts'
import { ProviderRejection, ProviderUnavailable } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import { STRIPE } from './stripe-updates.ts'

/** A failed call is retried once, under the same key, so that a lost response is rarely noticed. */
const RETRIES = 1

/** Makes a call with Stripe's own client. @throws ProviderUnavailable and ProviderRejection, as every provider does */
export type StripeCall = <Result>(call: (stripe: Stripe) => Promise<Result>) => Promise<Result>

/**
 * Loaded on first use: it costs 100 ms and 25 MB of memory (136 MB become 161, measured), and most shops never use
 * Stripe.
 */
export async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default
}

export function stripeCall(options: {
  baseUrl: string
  timeoutMs: number
  secretKey: ProviderSecret
  /** Until it resolves, the merchant's secrets may be missing (`Credentials`). */
  known: Promise<void>
}): StripeCall {
  const { secretKey, known } = options
  let client: { key: string; stripe: Stripe } | undefined

  return async (call) => {
    await known
    const key = secretKey()
    if (key === undefined) throw new ProviderRejection(STRIPE, 'its key is not configured')
    if (client?.key !== key) client = { key, stripe: makeClient(await loadStripe(), key, options) }
    try {
      return await call(client.stripe)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

function makeClient(
  library: typeof Stripe,
  key: string,
  { baseUrl, timeoutMs }: { baseUrl: string; timeoutMs: number },
): Stripe {
  const { hostname, port, protocol } = new URL(baseUrl)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  const usualPort = scheme === 'http' ? 80 : 443
  return new library(key, {
    host: hostname,
    port: port === '' ? usualPort : Number(port),
    protocol: scheme,
    // For all attempts together.
    timeout: Math.ceil(timeoutMs / (RETRIES + 1)),
    maxNetworkRetries: RETRIES,
    telemetry: false,
    // Stripe's own fetch has no limit on the size of a response.
    httpClient: library.createFetchHttpClient(boundedFetch(timeoutMs)),
  })
}

function boundedFetch(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const { status, headers, text } = await callProvider(
      'stripe',
      input instanceof Request ? input.url : String(input),
      {
        ...init,
        signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
      },
    )
    // The API has no redirects; the client would take one for a response.
    if (status >= 300 && status < 400) throw new Error(`the response has the status ${status}`)
    return new Response(text, { status, headers })
  }
}

const Failure = z.object({
  statusCode: z.number(),
  type: z.string(),
  rawType: z.string().nullish(),
  code: z.string().nullish(),
})

/** Only the code of a client error is kept: other parts may contain the key or card data. */
function failureOf(error: unknown): ProviderRejection | ProviderUnavailable {
  if (error instanceof ProviderRejection) return error
  const failure = Failure.safeParse(error).data
  if (failure === undefined) return new ProviderUnavailable(STRIPE, new Error(nameOf(error)))
  const { statusCode: status, type, rawType, code } = failure
  const reason = status === 401 ? 'the key is wrong (401)' : `${code ?? rawType ?? type} (${status})`
  if (isRejectionStatus(status)) return new ProviderRejection(STRIPE, reason)
  return new ProviderUnavailable(STRIPE, new Error(reason))
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : 'no response'
}
