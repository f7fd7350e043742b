import type { Permission } from '../../../session.ts'

/** The key of each permission in the messages: such a key may not contain a colon. */
export const PERMISSION_NAMES = {
  'catalog:read': 'catalogRead',
  'catalog:write': 'catalogWrite',
  'inventory:write': 'inventoryWrite',
  'orders:read': 'ordersRead',
  'orders:write': 'ordersWrite',
  'discounts:write': 'discountsWrite',
  'settings:write': 'settingsWrite',
  'reviews:write': 'reviewsWrite',
  'webhooks:write': 'webhooksWrite',
  'customers:read': 'customersRead',
  'customers:write': 'customersWrite',
  'admins:write': 'adminsWrite',
  'credentials:write': 'credentialsWrite',
} as const satisfies Record<Permission, string>
