import { ERROR_STATUS, type ErrorCode } from '@storefront/contracts'

/** The Retry-After of a 503 whose end is not known: each 503 has one (docs/contract.md). */
const RETRY_AFTER_SECONDS = 30

/**
 * A request that the service understood and rejects. Thrown by operations, sent as JSON. `message` is one sentence for
 * the buyer, `code` is for the client, `detail` for the integrator.
 */
export class HttpError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: { detail?: unknown; retryAfterSeconds?: number } = {}) {
    super(message)
    this.name = 'HttpError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.detail = options.detail
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? RETRY_AFTER_SECONDS : undefined)
  }
}

/** A server or service that this one needs is down or too slow. The caller may try again: 503 with Retry-After. */
export class DependencyUnavailable extends HttpError {
  readonly dependency: string

  constructor(dependency: string, cause?: unknown) {
    super('service_unavailable', 'This is not available right now. Please try again in a moment.', {
      retryAfterSeconds: 2,
    })
    this.name = 'DependencyUnavailable'
    this.dependency = dependency
    this.cause = cause
  }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * How long to wait, in words: `40 seconds`, `12 minutes`, `5 hours`.
 * @param seconds a whole number; minutes and hours are rounded up, so that a client that waits that long is not too
 * early
 */
export function waitInWords(seconds: number): string {
  if (seconds > 90 * MINUTE) return `${Math.ceil(seconds / HOUR)} hours`
  if (seconds > 90) return `${Math.ceil(seconds / MINUTE)} minutes`
  return `${seconds} second${seconds === 1 ? '' : 's'}`
}
