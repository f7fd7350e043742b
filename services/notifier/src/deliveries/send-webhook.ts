import { performance } from 'node:perf_hooks'
import { Agent, request, type Dispatcher } from 'undici'
import { lookupWith, publicLookup, rejectPrivateLiteral, type ResolveName } from '@storefront/http'
import { errorCode } from '@storefront/service'

/** Bytes of a response that are read and stored; later ones are not awaited. */
const RESPONSE_LIMIT = 4096
/** Bytes of headers; a response with more is rejected. */
const HEADER_LIMIT = 16_384

export interface WebhookResponse {
  durationMs: number
  /** null without a response. */
  status: number | null
  /** null when it was delivered. */
  error: string | null
  answer: string | null
  retryAfter: string | undefined
}

export interface WebhookSender {
  /** Posts a body once. Never rejects; an aborted post resolves with an error. */
  send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<WebhookResponse>
  close(): Promise<void>
}

/**
 * Opens connections to receivers. Redirects are not followed: they would bypass the check of the address.
 * @param options.timeoutMs for connecting, sending and reading together
 * @param options.operatorsUrl of the configuration, not of a merchant: it may be private, and is resolved by the system
 */
export function createWebhookSender(options: {
  timeoutMs: number
  allowPrivate: boolean
  operatorsUrl?: string
  resolve: ResolveName
}): WebhookSender {
  const { timeoutMs, allowPrivate, operatorsUrl, resolve } = options
  const merchants = connections({
    timeout: timeoutMs,
    lookup: allowPrivate ? lookupWith(resolve) : publicLookup(resolve),
  })
  const operators = connections({ timeout: timeoutMs })

  return {
    async send(url, headers, body, signal) {
      const started = performance.now()
      const outcome = await inTime(timeoutMs, signal, (ended) => attempt(url, headers, body, ended))
      return { ...outcome, durationMs: Math.round(performance.now() - started) }
    },
    close: async () => void (await Promise.all([merchants.destroy(), operators.destroy()])),
  }

  async function attempt(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Omit<WebhookResponse, 'durationMs'>> {
    try {
      const target = new URL(url)
      const isOperators = url === operatorsUrl
      if (!allowPrivate && !isOperators) rejectPrivateLiteral(target)
      const response = await request(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'storefront-webhooks/1', ...headers },
        body,
        dispatcher: isOperators ? operators : merchants,
        signal,
      })
      const { statusCode: status } = response
      const retryAfter = response.headers['retry-after']
      return {
        status,
        error: errorOf(status),
        answer: await readResponse(response.body),
        // A repeated header is a list; the first one counts.
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      }
    } catch (error) {
      return { status: null, error: describe(error), answer: null, retryAfter: undefined }
    }
  }
}

function connections(connect: Agent.Options['connect']): Agent {
  return new Agent({
    ...(connect && { connect }),
    // One deadline for all stages, in `send`.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than most receivers keep a connection: a request on a connection that is being closed counts as failed.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: HEADER_LIMIT,
  })
}

class NoResponseInTime extends Error {
  constructor() {
    super('no response in time')
    this.name = 'NoResponseInTime'
  }
}

/** @param work gets a signal that aborts it at the deadline, or together with `signal` */
async function inTime<Result>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // Not AbortSignal.any and timeout: they stay in memory, and create their errors, long after the response.
  const ended = new AbortController()
  const breakOff = () => ended.abort(signal.reason)
  if (signal.aborted) breakOff()
  signal.addEventListener('abort', breakOff, { once: true })
  const deadline = setTimeout(() => ended.abort(new NoResponseInTime()), timeoutMs)
  try {
    return await work(ended.signal)
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', breakOff)
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirects are not followed' : 'the status is not 2xx'
}

/** When a receiver disconnects after its status, the status counts. */
async function readResponse(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of body) {
      if (!(part instanceof Uint8Array)) break
      parts.push(part)
      length += part.length
      // Leaving the loop closes the connection.
      if (length >= RESPONSE_LIMIT) break
    }
  } catch {
    // The part that was read until then is kept.
  }
  // Postgres stores no NUL in text.
  return Buffer.concat(parts).subarray(0, RESPONSE_LIMIT).toString('utf8').replaceAll('\0', '')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return plain(String(error))
  if (error instanceof NoResponseInTime) return error.message
  const code = errorCode(error)
  return plain(code === undefined ? error.message : `${code}: ${error.message}`)
}

/** A message may quote the receiver, and Postgres stores no NUL in text: recording the result would fail forever. */
function plain(message: string): string {
  return message.replaceAll('\0', '').slice(0, 500)
}
