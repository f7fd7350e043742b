import { setTimeout as pause } from 'node:timers/promises'
import { PrivateAddressRejected, publicLookup, rejectPrivateLiteral, type ResolveName } from '@storefront/http'
import { limitConcurrency, type ConcurrencyLimit } from '@storefront/service'
import { Agent, request, type Dispatcher } from 'undici'
import { tooManyUploads } from '../errors.ts'

/** The same limit as for an uploaded picture. */
const MAX_BYTES = 20 * 1024 * 1024
const MAX_REDIRECTS = 5
const HEADER_LIMIT = 16_384
/** This much of an unused response is read, so that its connection can be reused. */
const DRAINED_BYTES = 16_384
/** Pictures of the whole process that are in memory at the same time. */
const AT_ONCE = 4
const ATTEMPTS = 2
const PAUSE_MS = 500
/** Far longer than all pictures ahead in the queue may take. */
const MAX_WAIT_MS = 10 * 60_000
const QUEUE = { waiting: Infinity, maxWaitMs: MAX_WAIT_MS, error: tooManyUploads }
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The message is the predicate of a sentence about the picture, such as `could not be reached`. */
export class UnreachablePicture extends Error {
  /** Whether the host did not reply at all. */
  readonly isSilent: boolean
  /** Whether a second attempt may help. */
  readonly isTemporary: boolean

  constructor(message: string, { isSilent = false, isTemporary = false } = {}) {
    super(message)
    this.isSilent = isSilent
    this.isTemporary = isTemporary
  }
}

export interface PictureSource {
  /** The queue that limits the pictures in memory. */
  limitFetches: ConcurrencyLimit
  /** The queue of the encoder, shared with uploads: one at a time, because a decoder takes much memory and a core. */
  encoding: ConcurrencyLimit
  /** @throws UnreachablePicture */
  fetch(url: string): Promise<Buffer>
  close(): Promise<void>
}

export interface PictureSourceOptions {
  /** Decides which addresses are rejected. */
  isPrivate: (address: string) => boolean
  resolve: ResolveName
  /** The timeout of one picture, including redirects. */
  timeoutMs: number
  /** The pause before the second attempt, half a second by default. */
  pauseMs?: number
}

/**
 * Fetches pictures from other servers. The address is checked for every connection and after every redirect, because a
 * merchant or the other server may name one inside the shop's network.
 */
export function createPictureSource({
  isPrivate,
  resolve,
  timeoutMs,
  pauseMs = PAUSE_MS,
}: PictureSourceOptions): PictureSource {
  const dispatcher = new Agent({
    connect: { timeout: timeoutMs, lookup: publicLookup(resolve, isPrivate) },
    // One deadline below covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADER_LIMIT,
  })
  return {
    limitFetches: limitConcurrency({ atOnce: AT_ONCE, ...QUEUE }),
    encoding: limitConcurrency({ atOnce: 1, ...QUEUE }),
    async fetch(url) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await fetchOnce(url)
        } catch (error) {
          const fault = described(error, timeoutMs)
          if (!fault.isTemporary || attempt === ATTEMPTS) throw fault
          await pause(pauseMs)
        }
      }
    },
    close: () => dispatcher.destroy(),
  }

  async function fetchOnce(url: string): Promise<Buffer> {
    const signal = AbortSignal.timeout(timeoutMs)
    let target = URL.parse(url)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const reply = await open(target, signal)
      const location = REDIRECTS.has(reply.statusCode) ? reply.headers['location'] : undefined
      if (typeof location !== 'string') return readPicture(reply)
      await drain(reply)
      target = target && URL.parse(location, target.href)
    }
    throw new UnreachablePicture(`redirects more than ${MAX_REDIRECTS} times`)
  }

  async function open(target: URL | null, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (!target || !/^https?:$/.test(target.protocol))
      throw new UnreachablePicture('does not lead to an http or https address')
    if (target.username !== '' || target.password !== '') {
      throw new UnreachablePicture('must not contain a user name or password')
    }
    rejectPrivateLiteral(target, isPrivate)
    try {
      // Without compression, with which a few bytes could become gigabytes.
      const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'storefront-import/1' }
      return await request(target, { method: 'GET', headers, dispatcher, signal })
    } catch (error) {
      if (signal.aborted || error instanceof PrivateAddressRejected) throw error
      throw new UnreachablePicture('could not be reached', { isSilent: true, isTemporary: true })
    }
  }
}

async function readPicture(reply: Dispatcher.ResponseData): Promise<Buffer> {
  const { statusCode, headers, body } = reply
  if (statusCode !== 200) {
    await drain(reply)
    const isTemporary = statusCode === 429 || statusCode >= 500
    throw new UnreachablePicture(`could not be fetched: the server replied with status ${statusCode}`, { isTemporary })
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) {
    body.destroy()
    throw tooLarge()
  }
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) break
    length += part.length
    // Leaving the loop closes the connection.
    if (length > MAX_BYTES) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function drain({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump({ limit: DRAINED_BYTES }).catch(() => {})
}

function tooLarge(): UnreachablePicture {
  return new UnreachablePicture(`has more than ${MAX_BYTES / 1024 / 1024} MiB`)
}

function described(error: unknown, timeoutMs: number): UnreachablePicture {
  if (error instanceof UnreachablePicture) return error
  if (error instanceof PrivateAddressRejected) return new UnreachablePicture('leads to a private address')
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  const message = isTimeout ? `was not sent within ${timeoutMs / 1000} s` : 'was not sent completely'
  return new UnreachablePicture(message, { isSilent: isTimeout })
}
