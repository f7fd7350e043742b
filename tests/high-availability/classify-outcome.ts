import { z } from 'zod'
import type { Action, Completion, Outcome } from './operation.ts'

const ErrorBody = z.looseObject({ code: z.string(), message: z.string() })

/** Connections that were never made: not one byte of the request was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
/** They change nothing, so that nothing about them can be in doubt. */
const READS: ReadonlySet<Action['kind']> = new Set(['read-checkout', 'read-order'])

/**
 * Decides what a response means for the operation itself, and not for earlier attempts with the same key.
 *
 * - 2xx are `ok`: the shop replies after its commit.
 * - 4xx with the shop's error body are `fail`: by docs/contract.md such a request changes nothing.
 * - 3xx, and 4xx without that body, are `unknown`: a proxy sent them, and it may have passed the request on.
 * - Every 5xx is `unknown`, 503 included: by docs/contract.md a service behind the gateway failed, which may have been
 *   after its commit or during a commit in doubt.
 * - A read is `fail` where a write is `unknown`: it has no effect.
 */
export function classifyResponse(kind: Action['kind'], status: number, text: string): Completion {
  if (status >= 200 && status < 300) return { outcome: 'ok', status }
  const code = codeOf(text)
  const isRejected = status < 500 && code !== undefined
  return { outcome: isRejected ? 'fail' : inDoubt(kind), status, ...(code !== undefined && { code }) }
}

/** A success whose body is not what the shop promises says nothing reliable: a proxy may have sent or cut it. */
export function classifyUnreadable(kind: Action['kind'], status: number): Completion {
  return { outcome: inDoubt(kind), status, errorKind: 'unexpected body' }
}

/**
 * Decides what the lack of a response means. A connection that was never made is a `fail`, because nothing was sent;
 * one that broke, and a time that passed, leave a write `unknown`, because the shop may have received the request.
 */
export function classifyError(kind: Action['kind'], error: unknown): Completion {
  const errorKind = kindOf(error)
  return { outcome: NOT_SENT.has(errorKind) ? 'fail' : inDoubt(kind), errorKind }
}

function inDoubt(kind: Action['kind']): Outcome {
  return READS.has(kind) ? 'fail' : 'unknown'
}

function codeOf(text: string): string | undefined {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data?.code
  } catch {
    return undefined
  }
}

/** A name that is the same for the same cause: messages contain ports. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'timeout'
  // One that tried several addresses has the errors of each.
  if (error instanceof AggregateError && error.errors.length > 0) return kindOf(error.errors.at(-1))
  return 'code' in error ? String(error.code) : error.name
}
