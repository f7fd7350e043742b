import type { IncomingHttpHeaders } from 'node:http'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { SURROGATE_PURGE } from '@storefront/http'

const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'server',
  'x-powered-by',
  REQUEST_ID_HEADER,
  SURROGATE_PURGE,
])

/** The headers of a service's response that a client gets. Only the gateway decides about CORS. */
export function responseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const passed: IncomingHttpHeaders = {}
  for (const [name, value] of Object.entries(headers)) {
    if (NOT_FORWARDED.has(name) || name.startsWith('access-control-') || name.startsWith('ratelimit-')) continue
    passed[name] = name === 'vary' && !/\borigin\b/i.test(String(value)) ? `Origin, ${String(value)}` : value
  }
  return passed
}

export function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
}
