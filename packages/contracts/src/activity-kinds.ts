// In a file without libraries, because browsers load it too.
import type { Permission } from './actor.ts'

/** All subject kinds of audit entries, by the service that keeps the entries. */
export const AUDITED_KINDS = {
  catalog: [
    'product',
    'variant',
    'category',
    'collection',
    'size-chart',
    'library-item',
    'review',
    'storefront',
    'media',
    'import',
    'bulk-edit',
  ],
  cart: ['discount'],
  orders: ['order', 'draft-order', 'reconciliation', 'buyer'],
  identity: ['sign-in', 'admin-user', 'api-key', 'signing-key', 'credentials', 'saved-view', 'customer'],
  notifier: ['webhook', 'delivery', 'mail'],
} as const
type AuditedKind = (typeof AUDITED_KINDS)[keyof typeof AUDITED_KINDS][number]

/**
 * The permission that shows entries of a kind in `GET /admin/activity`: the same that the service itself requires of a
 * reader.
 */
export const ACTIVITY_PERMISSIONS: Record<AuditedKind, Permission> = {
  product: 'catalog:read',
  variant: 'catalog:read',
  category: 'catalog:read',
  collection: 'catalog:read',
  'size-chart': 'catalog:read',
  'library-item': 'catalog:read',
  review: 'catalog:read',
  storefront: 'catalog:read',
  media: 'catalog:read',
  import: 'catalog:read',
  'bulk-edit': 'catalog:read',
  discount: 'discounts:write',
  order: 'orders:read',
  'draft-order': 'orders:read',
  reconciliation: 'orders:read',
  buyer: 'customers:read',
  'sign-in': 'admins:write',
  'admin-user': 'admins:write',
  'api-key': 'admins:write',
  'signing-key': 'admins:write',
  credentials: 'admins:write',
  'saved-view': 'admins:write',
  customer: 'admins:write',
  webhook: 'webhooks:write',
  delivery: 'webhooks:write',
  mail: 'orders:read',
}
