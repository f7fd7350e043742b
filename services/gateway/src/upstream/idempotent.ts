import type { IncomingHttpHeaders } from 'node:http'
import { isRead, type RequestContext } from '../front/request-context.ts'

/**
 * Whether a request may be executed twice: a read, a PUT that replaces its target, or one that the route table marks as
 * idempotent.
 */
export function isIdempotent(context: Pick<RequestContext, 'method' | 'route'>, headers: IncomingHttpHeaders): boolean {
  if (isRead(context) || context.route?.idempotent !== undefined) return true
  // With If-Match the retry would be rejected because of the first attempt.
  return context.method === 'PUT' && headers['if-match'] === undefined
}
