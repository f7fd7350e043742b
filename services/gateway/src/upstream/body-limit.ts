import type { IncomingHttpHeaders } from 'node:http'
import { DEFAULT_BODY_LIMIT, type Route } from '../front/routes.ts'

/** The maximum size of a request's body. @returns Infinity for an import as NDJSON, which is read line by line */
export function bodyLimitOf(route: Route, contentType: string | undefined): number {
  if (route.streamed && contentType?.toLowerCase().startsWith('application/x-ndjson')) return Infinity
  return route.bodyLimit ?? DEFAULT_BODY_LIMIT
}

export function announcedLength(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
