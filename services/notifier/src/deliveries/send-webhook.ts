import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher } from 'undici'
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

type UntimedResponse = Omit<WebhookResponse, 'durationMs'>

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
      const outcome = await attempt(url, headers, body, signal)
      return { ...outcome, durationMs: Math.round(performance.now() - started) }
    },
    close: async () => void (await Promise.all([merchants.destroy(), operators.destroy()])),
  }

  async function attempt(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<UntimedResponse> {
    try {
      const target = new URL(url)
      const isOperators = url === operatorsUrl
      if (!allowPrivate && !isOperators) rejectPrivateLiteral(target)
      return await post(isOperators ? operators : merchants, { target, headers, body }, { timeoutMs, signal })
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

/**
 * Posts once, without the streams and signals of undici's `request`, which take longer than the rest of it. When a
 * receiver disconnects after its status, or is too slow, the status counts, with the part of the response until then.
 * @throws Error without a status
 */
function post(
  agent: Agent,
  { target, headers, body }: { target: URL; headers: Record<string, string>; body: string },
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<UntimedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<UntimedResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let brokenOff: Error | undefined
  let head: { status: number; retryAfter: string | undefined } | undefined
  const parts: Buffer[] = []
  let length = 0

  const breakOff = (reason: Error) => {
    brokenOff ??= reason
    if (controller) controller.abort(reason)
    // While it connects: it is aborted when it begins, and a stop of the service does not wait for that.
    else end(reason)
  }
  const stop = () => breakOff(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)))
  const deadline = setTimeout(() => breakOff(new NoResponseInTime()), timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  function end(error?: Error): void {
    clearTimeout(deadline)
    signal.removeEventListener('abort', stop)
    if (head) resolve({ ...head, error: errorOf(head.status), answer: textOf(parts) })
    else reject(error)
  }

  const path = target.pathname + target.search
  const sent = { 'content-type': 'application/json', 'user-agent': 'storefront-webhooks/1', ...headers }
  agent.dispatch(
    { origin: target.origin, path, method: 'POST', headers: sent, body },
    {
      onRequestStart(started) {
        controller = started
        if (brokenOff) started.abort(brokenOff)
      },
      onResponseStart(_started, status, { 'retry-after': retryAfter }) {
        // Provisional responses come before the one that counts. A repeated header is a list; the first one counts.
        if (status >= 200) head = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter }
      },
      onResponseData(started, part) {
        if (length >= RESPONSE_LIMIT) return
        parts.push(part)
        length += part.length
        // Closes the connection, but not while undici reads from it.
        if (length >= RESPONSE_LIMIT) queueMicrotask(() => started.abort(new Error('the rest is not read')))
      },
      onResponseEnd: () => end(),
      onResponseError: (_started, error) => end(error),
    },
  )
  return promise
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirects are not followed' : 'the status is not 2xx'
}

function textOf(parts: readonly Buffer[]): string {
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
