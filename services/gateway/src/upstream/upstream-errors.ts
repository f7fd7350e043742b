import { errorCode, HttpError } from '@storefront/service'
import { badGateway, gatewayTimeout, serviceUnavailable } from '../errors.ts'
import { lossOf } from './retry.ts'

const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
/** Our own pool of connections was closed, because its replica is lost or this gateway stops. */
const CLOSED = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/** The error for a service that failed: it is down (503), too slow (504), or does not speak HTTP (502). */
export function upstreamError(error: unknown, service: string): HttpError {
  for (const one of causes(error)) {
    if (one instanceof HttpError) return one
    const code = errorCode(one) ?? ''
    if (SLOW.has(code)) return gatewayTimeout()
    if (lossOf(one) !== undefined || CLOSED.has(code)) return serviceUnavailable(service, error)
  }
  return badGateway()
}

/** A code or name that is short enough for a log line. */
export function errorName(error: unknown): string {
  const codes = causes(error).flatMap((one) => errorCode(one) ?? [])
  return codes.at(-1) ?? (error instanceof Error ? error.name : 'unknown')
}

/** An error and its causes, from the outermost in. */
function causes(error: unknown): Error[] {
  const found: Error[] = []
  // Limited, because an error could be its own cause.
  for (let one = error; one instanceof Error && found.length < 5; one = one.cause) found.push(one)
  return found
}
