import type { IncomingHttpHeaders } from 'node:http'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { SURROGATE_PURGE } from '@storefront/http'

/** Headers about one connection, not about the message (RFC 9110, section 7.6.1). */
export const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const NOT_FORWARDED = new Set([...CONNECTION_HEADERS, 'server', 'x-powered-by', REQUEST_ID_HEADER, SURROGATE_PURGE])

/** A path on the same host: after two slashes a host would follow. */
const PATH = /^\/(?!\/)/

/**
 * The headers of a service's response that a client gets. Only the gateway decides about CORS.
 * @param basePath prefix of every path of the shop, which the services do not know
 */
export function responseHeaders(headers: IncomingHttpHeaders, basePath: string): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {}
  for (const name of Object.keys(headers)) {
    if (NOT_FORWARDED.has(name) || name.startsWith('access-control-') || name.startsWith('ratelimit-')) continue
    const value = headers[name]
    forwarded[name] = name === 'vary' && !/\borigin\b/i.test(String(value)) ? `Origin, ${String(value)}` : value
  }
  const { location } = headers
  if (location !== undefined && PATH.test(location)) forwarded.location = `${basePath}${location}`
  return forwarded
}

export function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
}
