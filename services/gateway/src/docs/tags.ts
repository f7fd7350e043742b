/**
 * By tag, the paths whose operations have it, with those below them; the longest path counts. First come the tags of a
 * visitor in the order in which they are used.
 */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  Catalog: ['/attributes', '/categories', '/collections', '/delivery-estimate', '/products', '/search', '/size-charts'],
  Configuration: ['/bootstrap', '/storefront'],
  Cart: ['/carts'],
  Checkout: ['/carts/{id}/checkout', '/checkout', '/payments'],
  Orders: ['/orders'],
  Account: ['/.well-known', '/auth', '/me'],
  Newsletter: ['/newsletter'],
  Alerts: ['/alerts'],
  Media: ['/media'],
  'Admin: catalog': [
    '/admin/audit',
    '/admin/categories',
    '/admin/collections',
    '/admin/export',
    '/admin/import',
    '/admin/imports',
    '/admin/library',
    '/admin/media',
    '/admin/products',
    '/admin/reviews',
    '/admin/size-charts',
    '/admin/storefront',
    '/admin/variants',
  ],
  'Admin: credentials': ['/admin/credentials'],
  'Admin: customers': ['/admin/buyers', '/admin/customers', '/admin/newsletter'],
  'Admin: discounts': ['/admin/discounts'],
  'Admin: keys': ['/admin/api-keys', '/admin/signing-keys'],
  'Admin: notifications': ['/admin/notifications'],
  'Admin: orders': [
    '/admin/attention',
    '/admin/draft-orders',
    '/admin/orders',
    '/admin/reconciliation',
    '/admin/summary',
  ],
  'Admin: sign-in': ['/admin/auth', '/admin/console', '/admin/views'],
  'Admin: users': ['/admin/activity', '/admin/auth/audit', '/admin/users'],
  'Admin: webhooks': ['/admin/webhooks'],
  Payments: ['/webhooks'],
}

/** All tags, in the order in which the document lists them. */
export const TAGS = Object.keys(PATHS)

const LONGEST_FIRST = Object.entries(PATHS)
  .flatMap(([tag, paths]) => paths.map((path) => ({ tag, path })))
  .toSorted((one, other) => other.path.length - one.path.length)

/** @returns the tag of the operations of a path, undefined for a path that the table does not cover */
export function tagOf(path: string): string | undefined {
  return LONGEST_FIRST.find((one) => `${path}/`.startsWith(`${one.path}/`))?.tag
}
