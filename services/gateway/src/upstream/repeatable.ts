import type { IncomingHttpHeaders } from 'node:http'
import type { RequestContext } from '../front/request-context.ts'

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Whether a request may be executed twice: a read, a PUT that replaces its target, or a route that the route table
 * marks so.
 */
export function isRepeatable(
  { method, route }: Pick<RequestContext, 'method' | 'route'>,
  headers: IncomingHttpHeaders,
): boolean {
  if (isRead(method) || route?.repeatable !== undefined) return true
  // With If-Match the retry would be rejected because of the first attempt.
  return method === 'PUT' && headers['if-match'] === undefined
}
