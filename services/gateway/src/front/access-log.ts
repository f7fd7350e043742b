import { CLIENT_GONE, UNMATCHED } from '@storefront/http'
import { sampledTraceId, type Log } from '@storefront/service'
import type { RequestContext } from './request-context.ts'

/** Paths of the shop are shorter; a client must not be able to fill the log. */
const SHOWN_LENGTH = 300
/**
 * Ids of carts, orders and payments grant access, and so does a secret key in place of its id: they must not be
 * logged.
 */
const CAPABILITY = /\/((?:cart|order|pay|sess|sk|demo_cs|link)_)[^/]+/g

export type AccessLog = (context: RequestContext, status: number) => void

/** One line per request: never a token, a cookie or a query. */
export function accessLog(log: Log): AccessLog {
  // These lines contain no secrets, and searching each for them would cost more than writing it.
  const lines = log.child({}, { redact: [] })
  return (context, status) => {
    if (!lines.isLevelEnabled('info')) return
    const { requestId, method, path, cache, fault } = context
    const ms = Math.round((performance.now() - context.startedMs) * 10) / 10
    const actor = context.actor.kind
    const shown = shownPath(path, context.route?.cacheable === true)
    const route = context.route?.path ?? UNMATCHED
    const traceId = sampledTraceId(context.span)
    lines.info({ requestId, method, path: shown, route, status, ms, cache, actor, fault, traceId }, 'request completed')
  }
}

/** @param isPublic whether the path names public data */
export function shownPath(path: string, isPublic: boolean): string {
  const start = path.length > SHOWN_LENGTH ? `${path.slice(0, SHOWN_LENGTH)}…` : path
  return isPublic ? start : start.replaceAll(CAPABILITY, '/$1…')
}

/** @returns the status that was sent, or 499 when the client had disconnected */
export function sentStatus(response: { statusCode: number; writableFinished: boolean }): number {
  return response.writableFinished ? response.statusCode : CLIENT_GONE
}
