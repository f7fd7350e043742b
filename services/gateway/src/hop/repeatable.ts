import type { IncomingHttpHeaders } from 'node:http'
import type { Visit } from '../front/visit.ts'

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a request may be done twice: a read, a PUT that replaces whatever is there, or what the route table says so of. */
export function isRepeatable(
  { method, route }: Pick<Visit, 'method' | 'route'>,
  headers: IncomingHttpHeaders,
): boolean {
  if (isRead(method) || route?.repeatable !== undefined) return true
  // With If-Match the second time would be refused for what the first one did.
  return method === 'PUT' && headers['if-match'] === undefined
}
