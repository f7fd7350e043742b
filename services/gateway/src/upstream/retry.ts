import { errorCode } from '@storefront/service'

/** Errors after which nothing of a request has reached a service. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** Errors after which a request may have been executed, in part or in whole. */
const BROKEN_OFF = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const MAX_RETRIES = 2
/** A replica that took longer to reject a request waited for something: another one would wait as long, and be late. */
const LEAST_TIME_AFTER_REJECTION = 0.5

/** How a request was lost. `rejected` is a 503 of a replica that cannot reach its dependencies: another one may. */
type RequestLoss = 'not connected' | 'broken off' | 'rejected'

/** @returns undefined when the request was not lost, for example when it took too long */
export function lossOf(error: unknown): Exclude<RequestLoss, 'rejected'> | undefined {
  const code = errorCode(error) ?? ''
  if (NOT_CONNECTED.has(code)) return 'not connected'
  return BROKEN_OFF.has(code) ? 'broken off' : undefined
}

/** @returns undefined for a response that was not a rejection */
export function rejectionOf(statusCode: number): 'rejected' | undefined {
  return statusCode === 503 ? 'rejected' : undefined
}

/**
 * Whether a request is retried.
 * @param request.idempotent executing it twice has the effect of executing it once
 * @param request.sent how often it was sent
 * @param request.timeLeft the share of its time that is left, from 0 to 1
 * @param hasOther whether there is a replica that was not tried. Without one, a read is still worth one retry: its
 * connection may have been closed while it was idle
 */
export function shouldRetry(
  lost: RequestLoss,
  request: { idempotent: boolean; sendable: boolean; sent: number; timeLeft: number },
  hasOther: boolean,
): boolean {
  if (!request.sendable || request.sent > MAX_RETRIES) return false
  if (request.timeLeft <= (lost === 'rejected' ? LEAST_TIME_AFTER_REJECTION : 0)) return false
  if (lost === 'not connected') return hasOther
  return request.idempotent && (hasOther || (lost === 'broken off' && request.sent === 1))
}
