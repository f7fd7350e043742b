import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

/**
 * Faults of a call. Those of `BEFORE_EFFECT` happen before the call has an effect. Those of `AFTER_EFFECT` happen
 * afterwards: the response is lost (`cut-after`, `hang-after`), breaks off in the middle (`half`), never ends (`drip`),
 * is larger than any response that is read (`endless`), or is not JSON (`garbage`).
 */
export const BEFORE_EFFECT = ['hang', 'cut', 'error', 'busy', 'redirect'] as const
export const AFTER_EFFECT = ['hang-after', 'cut-after', 'half', 'drip', 'endless', 'garbage'] as const
export type Fault = (typeof BEFORE_EFFECT)[number] | (typeof AFTER_EFFECT)[number]

export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface FakeResponse {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface FakeServer {
  url: string
  /** Every call so far, as `METHOD /path`. */
  calls: string[]
  /** Every header value, query and body that was received. */
  received: FakeRequest[]
  /** Makes the next matching calls fail in this way; without a number, all of them until `heal`. */
  fail(fault: Fault, match?: RegExp, times?: number): void
  /** Delays matching calls until the returned function is called. */
  hold(match: RegExp): () => void
  heal(): void
  stop(): Promise<void>
}

const DRIP_MS = 20
const ENDLESS_BYTES = 3 * 1024 * 1024

/**
 * Starts a server outside the shop, such as that of a payment provider, which can be made to fail.
 * @param host the address of this machine on which it listens
 */
export async function createFakeServer(
  handle: (request: FakeRequest) => FakeResponse,
  host?: string,
): Promise<FakeServer> {
  const calls: string[] = []
  const received: FakeRequest[] = []
  const { takeFault, untilReleased, ...controls } = createFaults()

  async function serve(request: FakeRequest, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.path}`
    calls.push(call)
    received.push(request)
    const fault = takeFault(call)
    if (fault === 'hang') return
    if (fault === 'cut') return void response.destroy()
    if (fault === 'error') return send(response, { status: 500, body: { error: { message: 'oops' } } })
    if (fault === 'busy') return send(response, { status: 429, body: { error: { message: 'too many' } } })
    if (fault === 'redirect') return send(response, { status: 302, body: {}, headers: { location: '/elsewhere' } })
    await untilReleased(call)
    const reply = handle(request)
    if (fault === 'hang-after') return
    if (fault === 'cut-after') return void response.destroy()
    if (fault === 'garbage') return void response.writeHead(200).end('<html>')
    if (fault === 'half') return breakOff(response, reply)
    if (fault === 'drip') return drip(response)
    if (fault === 'endless') return void response.writeHead(200).end(Buffer.alloc(ENDLESS_BYTES, ' '))
    send(response, reply)
  }

  const server = createServer((request, response) => readRequest(request, (read) => void serve(read, response)))
  const { url, close } = await listen(server, host)
  return {
    url,
    calls,
    received,
    ...controls,
    async stop() {
      controls.heal()
      await close()
    },
  }
}

interface Faults extends Pick<FakeServer, 'fail' | 'hold' | 'heal'> {
  /** The fault of this call, which is one of those that remain. */
  takeFault: (call: string) => Fault | undefined
  untilReleased: (call: string) => Promise<unknown>
}

/** The calls that fail, and those that are delayed. */
function createFaults(): Faults {
  let faults: { fault: Fault; match: RegExp; left: number }[] = []
  let holds: { match: RegExp; until: Promise<void>; release: () => void }[] = []
  return {
    fail(fault, match = /./, times = Infinity) {
      faults.push({ fault, match, left: times })
    },
    hold(match) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.push({ match, until: promise, release: resolve })
      return resolve
    },
    heal() {
      faults = []
      for (const { release } of holds) release()
      holds = []
    },
    takeFault(call) {
      const found = faults.find(({ match, left }) => left > 0 && match.test(call))
      if (found) found.left--
      return found?.fault
    },
    untilReleased: (call) => Promise.all(holds.filter(({ match }) => match.test(call)).map(({ until }) => until)),
  }
}

function readRequest(request: IncomingMessage, done: (read: FakeRequest) => void): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake')
    done({
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    })
  })
}

function send(response: ServerResponse, { status, body, headers }: FakeResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function breakOff(response: ServerResponse, { status, body }: FakeResponse): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(text.length) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

/** A signed webhook of a payment provider. */
export interface FakeWebhook {
  headers: Record<string, string>
  body: Buffer
}

/**
 * Posts webhooks in the given order, which may contain the same one twice or a later one first. @returns the statuses
 */
export async function sendWebhooks(url: string, webhooks: readonly FakeWebhook[]): Promise<number[]> {
  const statuses: number[] = []
  for (const { headers, body } of webhooks) {
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
