/** What a picture shows: the address below /console, and what is done there before. */
export interface Shot {
  name: string
  /** Words in capitals stand for the ids of `ShopIds`. */
  path: string
}

/** Every screen of the console, in the order of its manual, docs/merchant.md. */
export const SHOTS: readonly Shot[] = [
  { name: 'home', path: '/' },
  { name: 'orders', path: '/orders' },
  { name: 'order', path: '/orders/ORDER' },
  { name: 'draft-orders', path: '/orders/drafts' },
  { name: 'draft-order', path: '/orders/drafts/DRAFT' },
  { name: 'products', path: '/products' },
  { name: 'product', path: '/products/PRODUCT' },
  { name: 'bulk-edits', path: '/products/bulk' },
  { name: 'categories', path: '/categories' },
  { name: 'collections', path: '/collections' },
  { name: 'collection', path: '/collections/edit?slug=COLLECTION' },
  { name: 'media', path: '/media' },
  { name: 'size-charts', path: '/size-charts' },
  { name: 'library', path: '/library' },
  { name: 'stock', path: '/stock' },
  { name: 'stocktake', path: '/stock/stocktake' },
  { name: 'discounts', path: '/discounts' },
  { name: 'new-discount', path: '/discounts/new' },
  { name: 'customers', path: '/customers' },
  { name: 'customer', path: '/customers/buyers/BUYER' },
  { name: 'reviews', path: '/reviews' },
  { name: 'storefront', path: '/storefront' },
  { name: 'storefront-versions', path: '/storefront/versions' },
  { name: 'import', path: '/import' },
  { name: 'activity', path: '/activity' },
  { name: 'account', path: '/settings' },
  { name: 'staff', path: '/settings/staff' },
  { name: 'keys', path: '/settings/keys' },
  { name: 'credentials', path: '/settings/credentials' },
  { name: 'webhooks', path: '/settings/webhooks' },
  { name: 'deliveries', path: '/settings/webhooks/deliveries' },
  { name: 'mails', path: '/settings/mails' },
  { name: 'templates', path: '/settings/mails/templates' },
  { name: 'health', path: '/settings/health' },
]
