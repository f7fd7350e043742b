import { isTemporary, readRetryAfter, retryDelayMs } from './retry-delay.ts'

export interface TransportOptions {
  /** Sends one request; the platform's fetch by default. */
  fetch: (request: Request) => Promise<Response>
  /** Milliseconds that one attempt may take, with its body unless that is a file. */
  timeoutMs: number
  /** Maximum number of attempts; 1 means no retries. */
  maxTries: number
  /** Milliseconds after which no further attempt begins, however many are left. */
  deadlineMs: number
}

/** No attempt got a response. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly code: 'timeout' | 'network_error'

  constructor(code: 'timeout' | 'network_error', cause: unknown) {
    super(code, { cause })
    this.code = code
  }
}

type Outcome = { response: Response } | { failure: NoResponse }

/**
 * Makes a `fetch` with a timeout, which retries where that is safe: reads, and requests with an Idempotency-Key, which
 * the shop carries out only once.
 * @returns a function that sends a request, which may set its own timeout as `timeoutMs`; it throws NoResponse, or the
 * reason with which the caller's signal was aborted
 */
export function createTransport(options: TransportOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const timeoutMs = ownTimeoutOf(request) ?? options.timeoutMs
    const maxTries = isIdempotent(request) ? options.maxTries : 1
    const giveUpAtMs = performance.now() + options.deadlineMs
    for (let tries = 1; ; tries++) {
      const outcome = await tryOnce(options.fetch, request, timeoutMs)
      if ('response' in outcome && !isTemporary(outcome.response.status)) return outcome.response
      const retryAfter = 'response' in outcome ? outcome.response.headers.get('retry-after') : null
      const delayMs = retryDelayMs(tries, readRetryAfter(retryAfter), Math.random())
      if (tries >= maxTries || performance.now() + delayMs > giveUpAtMs) {
        if ('response' in outcome) return outcome.response
        throw outcome.failure
      }
      await wait(delayMs, request.signal)
    }
  }
}

async function tryOnce(send: TransportOptions['fetch'], request: Request, timeoutMs: number): Promise<Outcome> {
  // In place of AbortSignal.timeout, which would also end a file that the caller reads for longer.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  // A clone, because a body can be sent only once, and the next attempt needs it too.
  const attempt = new Request(request.clone(), { signal: AbortSignal.any([request.signal, timeout.signal]) })
  try {
    return { response: await whole(await send(attempt)) }
  } catch (error) {
    // A caller that aborts gets its own reason, as from fetch itself.
    request.signal.throwIfAborted()
    return { failure: new NoResponse(timeout.signal.aborted ? 'timeout' : 'network_error', error) }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads the body here, so that a response that is cut off or never ends is a failed attempt; a file, which may have any
 * length, is left to the caller.
 */
async function whole(response: Response): Promise<Response> {
  if (response.body === null || isFile(response)) return response
  const { status, statusText, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

/** Whether it is an export, a document or a picture. An error is not, even if a proxy sends it as HTML. */
function isFile({ ok, headers }: Response): boolean {
  const type = headers.get('content-type')
  return ok && type !== null && !/^application\/json\b(?!-)/i.test(type)
}

function isIdempotent({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')
}

/** openapi-fetch passes unknown options on as properties of the request. */
function ownTimeoutOf(request: Request): number | undefined {
  const timeoutMs: unknown = Reflect.get(request, 'timeoutMs')
  return typeof timeoutMs === 'number' ? timeoutMs : undefined
}

/** Without `Promise.withResolvers`, which Node 20 does not have. */
async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal.addEventListener('abort', finish)
  })
  signal.throwIfAborted()
}
