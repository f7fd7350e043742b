/** The headers that the storefront may send and read across origins (docs/contract.md). */
const ALLOWED_REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, x-order-token, if-match, if-none-match, traceparent, ' +
  'x-loom-lang, x-loom-pricelist, x-loom-access'
const EXPOSED_RESPONSE_HEADERS =
  'etag, x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotent-replayed'

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The storefront has another origin and shows our images.
  'cross-origin-resource-policy': 'cross-origin',
}
type Kind = 'api' | 'media' | 'docs' | 'page' | 'console'
/** `base-uri` does not fall back to `default-src`; `object-src` is listed for readers and for scanners. */
const NOTHING = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const CONTENT_POLICY: Record<Kind, string> = {
  api: NOTHING,
  // An SVG that is opened directly is a document: it may be styled but must not run anything.
  media: `${NOTHING}; style-src 'unsafe-inline'; sandbox`,
  // The viewer creates its styles at run time.
  docs:
    `${NOTHING}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
    "connect-src 'self'; form-action 'none'",
  // Pictures of products may be on any host. The page itself adds a nonce for the styles that its components make.
  console:
    `${NOTHING}; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob: https: http:; ` +
    "connect-src 'self'; form-action 'none'",
  // The scripts of these pages submit their form themselves.
  page: `${NOTHING}; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'`,
}
/** The pages that mails and payment providers link to, when the storefront has none of its own. */
const PAGES = new Set([
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/auth/email/verify',
  '/auth/password/reset',
  '/payments/done',
])
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains'

/** The same headers as a record and as a flat array; created once, because every response has them. */
export interface EdgeHeaders {
  record: Readonly<Record<string, string>>
  /** Name, value, name, value … for `writeHead`. */
  flat: readonly string[]
}

export type EdgeHeadersTable = ReturnType<typeof edgeHeaders>

/** Security and CORS headers for every response. An origin that is not on the list gets no CORS headers at all. */
export function edgeHeaders(allowedOrigins: readonly string[]) {
  const known = new Set(allowedOrigins)
  const made = new Map<string, EdgeHeaders>()

  function crossOrigin(origin: string | undefined): Record<string, string> {
    if (origin === undefined || !known.has(origin)) return {}
    return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
  }

  return {
    /** @returns headers that depend only on the origin of a request and the kind of resource */
    for(path: string, origin: string | undefined, https: boolean): EdgeHeaders {
      const kind = kindOf(path)
      const allowed = origin !== undefined && known.has(origin) ? origin : ''
      const name = `${kind} ${https} ${allowed}`
      let headers = made.get(name)
      if (!headers) {
        const record = {
          ...COMMON,
          'content-security-policy': CONTENT_POLICY[kind],
          ...(https ? { 'strict-transport-security': STRICT_TRANSPORT } : {}),
          ...crossOrigin(origin),
          ...(allowed === '' ? {} : { 'access-control-expose-headers': EXPOSED_RESPONSE_HEADERS }),
        }
        headers = { record, flat: Object.entries(record).flat() }
        made.set(name, headers)
      }
      return headers
    },
    preflight(origin: string | undefined): readonly string[] {
      const granted = crossOrigin(origin)
      if (Object.keys(granted).length === 0) return ['vary', 'Origin']
      return Object.entries({
        vary: 'Origin',
        ...granted,
        'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
        'access-control-allow-headers': ALLOWED_REQUEST_HEADERS,
        'access-control-max-age': '86400',
      }).flat()
    },
  }
}

function kindOf(path: string): Kind {
  if (path.startsWith('/media/')) return 'media'
  if (path.startsWith('/docs')) return 'docs'
  if (path === '/console' || path.startsWith('/console/')) return 'console'
  return PAGES.has(path) ? 'page' : 'api'
}
