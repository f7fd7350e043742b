import type { z } from 'zod'
import { callProvider, isRejectionStatus, type ProviderResponse } from '../call-provider.ts'
import { ProviderRejection, ProviderUnavailable } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import type { RazorpayKeyId } from './razorpay-key-id.ts'
import { RAZORPAY } from './razorpay-updates.ts'
import { RazorpayFailure } from './razorpay-shapes.ts'

interface RazorpayCall<Schema extends z.ZodType> {
  /** The path below `/v1`, its segments encoded. */
  path: string
  schema: Schema
  /** The body of a POST; without it the call is a GET. */
  body?: object
  headers?: Record<string, string>
}

export type RazorpayApi = <Schema extends z.ZodType>(call: RazorpayCall<Schema>) => Promise<z.output<Schema>>

/** Calls Razorpay over HTTP. @throws ProviderUnavailable and ProviderRejection, as every provider does */
export function razorpayApi(options: {
  baseUrl: string
  timeoutMs: number
  keyId: RazorpayKeyId
  keySecret: ProviderSecret
  /** Until it resolves, the merchant's secrets may be missing (`Credentials`). */
  known: Promise<void>
}): RazorpayApi {
  const { baseUrl, timeoutMs, keyId, keySecret, known } = options

  return async ({ path, schema, body, headers }) => {
    await known
    const user = await keyId.get()
    const password = keySecret()
    if (user === undefined || password === undefined) throw new ProviderRejection(RAZORPAY, 'its key is not configured')
    const response = await send()
    if (response.status === 401) keyId.clear()
    if (isRejectionStatus(response.status)) throw new ProviderRejection(RAZORPAY, reasonOf(response))
    try {
      if (response.status !== 200) throw new Error(`the response has the status ${response.status}`)
      return schema.parse(readJson(response.text))
    } catch (error) {
      throw new ProviderUnavailable(RAZORPAY, error)
    }

    async function send(): Promise<ProviderResponse> {
      try {
        return await callProvider('razorpay', `${baseUrl}/v1${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            accept: 'application/json',
            authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMs),
        })
      } catch (error) {
        throw new ProviderUnavailable(RAZORPAY, error)
      }
    }
  }
}

/** The error of `JSON.parse` quotes its input, which may contain card data. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the response is not JSON')
  }
}

function reasonOf({ status, text }: ProviderResponse): string {
  if (status === 401) return 'the key is wrong (401)'
  try {
    const { code, description } = RazorpayFailure.parse(JSON.parse(text)).error
    return `${code} (${status}): ${description ?? ''}`.slice(0, 300)
  } catch {
    return `status ${status}`
  }
}
