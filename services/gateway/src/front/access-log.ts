import { CLIENT_GONE, UNMATCHED } from '@storefront/http'
import { sampledTraceId, type Log } from '@storefront/service'
import type { RequestContext } from './request-context.ts'
import { shownPath } from './shown-path.ts'

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

/** @returns the status that was sent, or 499 when the client had disconnected */
export function sentStatus(response: { statusCode: number; writableFinished: boolean }): number {
  return response.writableFinished ? response.statusCode : CLIENT_GONE
}
