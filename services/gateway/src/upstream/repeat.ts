import { codeOf } from './upstream-errors.ts'

/** Nothing of a request has reached a service. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** It may have been executed, in part or in whole. */
const BROKEN_OFF = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const REPEATS = 2

/** How a service was lost. Refused is a 503, by a replica that cannot reach its dependencies: another one may. */
export type Lost = 'not connected' | 'broken off' | 'refused'

/** Undefined when it was not lost: when it was too slow, for example. */
export function breakOf(error: unknown): Exclude<Lost, 'refused'> | undefined {
  const code = codeOf(error)
  if (NOT_CONNECTED.has(code)) return 'not connected'
  return BROKEN_OFF.has(code) ? 'broken off' : undefined
}

/**
 * Whether a request is retried.
 * @param request.repeatable executing it twice has the effect of executing it once
 * @param request.sent how often it was sent
 * @param hasOther whether there is a replica that was not tried. A connection that was closed while it was idle breaks
 * off as well,
 * so that a retry is worthwhile even on the only replica
 */
export function goesAgain(
  lost: Lost,
  request: { repeatable: boolean; sendable: boolean; sent: number },
  hasOther: boolean,
): boolean {
  if (!request.sendable || request.sent > REPEATS) return false
  if (lost === 'not connected') return hasOther
  return request.repeatable && (hasOther || (lost === 'broken off' && request.sent === 1))
}
