import type { ServiceName } from '@storefront/contracts'

const MIB = 1024 * 1024

export interface Route {
  /** `:name` is any one segment; `/**` at the end is the path itself and everything below it. */
  path: string
  to: ServiceName
  /** Contains no user data, so that one response serves all clients; its Cache-Control decides whether it is cached. */
  cacheable?: true
  /** A POST here counts against a stricter limit than the general one. */
  limit?: 'auth' | 'reset' | 'lookup' | 'newsletter' | 'discount' | 'checkout'
  /**
   * A write here has its effect only once, even when its service fails midway and the gateway retries it on another
   * replica (docs/decisions/0030):
   * - `by nature`: executing it twice has the effect of executing it once.
   * - `by key`: its service makes a change once for each Idempotency-Key. The gateway adds a key to a request without.
   * - `by caller`: its service gives the same response to the same customer or browser. The gateway adds a key only if
   *   the request has neither.
   */
  idempotent?: 'by nature' | 'by key' | 'by caller'
  /**
   * Called by payment providers, whose bursts exceed those of any shopper: a limit of its own replaces the general
   * one.
   */
  fromProviders?: true
  /** Is opened in a browser: its errors may be pages as well. All other errors are JSON. */
  pages?: true
  /** Bytes of a body; 1 MiB by default. */
  bodyLimit?: number
  /** Processes a whole catalog: may take minutes. */
  slow?: true
  /** The response continues until the client disconnects; it has separate limits. */
  lasting?: true
  /** Accepts NDJSON of any length, line by line. */
  streamed?: true
}

/** Every path of the shop; the first match counts, so special ones come before general ones. */
export const ROUTES: readonly Route[] = [
  { path: '/', to: 'gateway' },
  { path: '/healthz', to: 'gateway' },
  { path: '/readyz', to: 'gateway' },
  { path: '/readyz/gateway', to: 'gateway' },
  { path: '/openapi.json', to: 'gateway' },
  { path: '/docs/**', to: 'gateway' },
  { path: '/console/**', to: 'gateway' },

  { path: '/carts/:id/checkout', to: 'orders', limit: 'checkout', idempotent: 'by caller' },
  { path: '/checkout/sessions', to: 'orders', limit: 'checkout', idempotent: 'by caller' },
  { path: '/checkout/sessions/**', to: 'orders' },
  { path: '/carts/:id/discount', to: 'cart', limit: 'discount', idempotent: 'by nature' },
  { path: '/carts/:id/lines/**', to: 'cart', idempotent: 'by key' },
  // If two carts are created, one stays empty and expires.
  { path: '/carts/**', to: 'cart', idempotent: 'by nature' },
  { path: '/orders/lookup', to: 'orders', limit: 'lookup', idempotent: 'by nature' },
  { path: '/orders/**', to: 'orders' },
  { path: '/payments/demo/**', to: 'orders', pages: true },
  { path: '/payments/**', to: 'orders' },
  { path: '/pay/**', to: 'orders', limit: 'checkout', pages: true },
  { path: '/webhooks/:provider', to: 'orders', fromProviders: true, idempotent: 'by nature' },

  // If two sessions are created, the token of the first is never sent to a client.
  { path: '/auth/login', to: 'identity', limit: 'auth', idempotent: 'by nature' },
  { path: '/auth/register', to: 'identity', limit: 'auth' },
  { path: '/auth/password/**', to: 'identity', limit: 'reset' },
  { path: '/auth/email/**', to: 'identity', limit: 'reset' },
  { path: '/auth/**', to: 'identity' },
  { path: '/me/**', to: 'identity' },
  { path: '/newsletter/**', to: 'identity', limit: 'newsletter' },
  // Mail providers confirm alerts of many shoppers from few addresses, so only the general limit applies.
  { path: '/alerts/confirm', to: 'catalog', idempotent: 'by nature' },
  { path: '/alerts/unsubscribe', to: 'catalog', idempotent: 'by nature' },
  { path: '/alerts', to: 'catalog', limit: 'newsletter', idempotent: 'by nature' },
  { path: '/.well-known/jwks.json', to: 'identity' },

  { path: '/admin/orders/**', to: 'orders' },
  { path: '/admin/draft-orders/**', to: 'orders' },
  { path: '/admin/buyers/**', to: 'orders' },
  { path: '/admin/reconciliation', to: 'orders' },
  { path: '/admin/summary', to: 'orders' },
  { path: '/admin/attention', to: 'orders' },
  { path: '/admin/discounts/**', to: 'cart' },
  // Not idempotent: a code of the second factor, and a recovery code above all, is accepted only once.
  { path: '/admin/auth/login', to: 'identity', limit: 'auth' },
  { path: '/admin/console/session', to: 'identity', limit: 'auth' },
  { path: '/admin/console/updates', to: 'gateway', lasting: true },
  { path: '/admin/console/**', to: 'identity' },
  { path: '/admin/auth/**', to: 'identity' },
  { path: '/admin/activity', to: 'identity' },
  { path: '/admin/users/**', to: 'identity' },
  { path: '/admin/views/**', to: 'identity' },
  { path: '/admin/api-keys/**', to: 'identity' },
  { path: '/admin/signing-keys/**', to: 'identity' },
  { path: '/admin/credentials', to: 'identity' },
  { path: '/admin/customers/**', to: 'identity' },
  { path: '/admin/newsletter/**', to: 'identity' },
  // A test waits for an endpoint or a mail server, and a replay of ten thousand deliveries takes long, too.
  { path: '/admin/webhooks/:id/test', to: 'notifier', slow: true },
  { path: '/admin/webhooks/deliveries/replay', to: 'notifier', slow: true },
  { path: '/admin/webhooks/**', to: 'notifier' },
  { path: '/admin/notifications/test', to: 'notifier', slow: true },
  { path: '/admin/notifications/**', to: 'notifier' },
  { path: '/admin/import', to: 'catalog', bodyLimit: 256 * MIB, slow: true, streamed: true },
  { path: '/admin/export', to: 'catalog', slow: true },
  // 20 MiB for the files, and the overhead of a form. Ten images take ten seconds to encode.
  { path: '/admin/media/**', to: 'catalog', bodyLimit: 21 * MIB, slow: true },
  // One change of a category or collection may affect a tenth of the products.
  { path: '/admin/categories/**', to: 'catalog', slow: true },
  { path: '/admin/collections/**', to: 'catalog', bodyLimit: 5 * MIB, slow: true },
  { path: '/admin/size-charts/**', to: 'catalog', slow: true },
  // A filter may match the whole shop.
  { path: '/admin/products/bulk', to: 'catalog', slow: true, idempotent: 'by key' },
  { path: '/admin/products/bulk/**', to: 'catalog', slow: true, idempotent: 'by nature' },
  { path: '/admin/**', to: 'catalog' },

  { path: '/products/**', to: 'catalog', cacheable: true },
  { path: '/categories/**', to: 'catalog', cacheable: true },
  { path: '/collections/**', to: 'catalog', cacheable: true },
  { path: '/search/suggest', to: 'catalog', cacheable: true },
  { path: '/attributes', to: 'catalog', cacheable: true },
  { path: '/size-charts', to: 'catalog', cacheable: true },
  { path: '/storefront', to: 'catalog', cacheable: true },
  { path: '/bootstrap', to: 'catalog', cacheable: true },
  { path: '/delivery-estimate', to: 'catalog', cacheable: true },
  { path: '/media/**', to: 'catalog', cacheable: true },
]

export const DEFAULT_BODY_LIMIT = MIB
