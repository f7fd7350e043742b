import type { Permission } from '../session.ts'

/** A screen of the console in the navigation and in the command palette. */
export interface ScreenLink {
  /** Its text is `screens.<name>` in the catalogs of messages. */
  name:
    | 'home'
    | 'orders'
    | 'products'
    | 'categories'
    | 'collections'
    | 'media'
    | 'sizeCharts'
    | 'library'
    | 'stock'
    | 'discounts'
    | 'customers'
    | 'reviews'
    | 'storefront'
    | 'import'
    | 'activity'
    | 'settings'
  path: string
  /** The screen below which the navigation lists it. */
  below?: 'products'
  /** Only users with this permission see the screen; undefined if every user does. */
  permission?: Permission
}

export const SCREENS: readonly ScreenLink[] = [
  { name: 'home', path: '/' },
  { name: 'orders', path: '/orders', permission: 'orders:read' },
  { name: 'products', path: '/products', permission: 'catalog:read' },
  { name: 'categories', path: '/categories', permission: 'catalog:read', below: 'products' },
  { name: 'collections', path: '/collections', permission: 'catalog:read', below: 'products' },
  { name: 'media', path: '/media', permission: 'catalog:read', below: 'products' },
  { name: 'sizeCharts', path: '/size-charts', permission: 'catalog:read', below: 'products' },
  { name: 'library', path: '/library', permission: 'catalog:read', below: 'products' },
  { name: 'stock', path: '/stock', permission: 'catalog:read' },
  { name: 'discounts', path: '/discounts', permission: 'discounts:write' },
  { name: 'customers', path: '/customers', permission: 'customers:read' },
  { name: 'reviews', path: '/reviews', permission: 'reviews:write' },
  { name: 'storefront', path: '/storefront', permission: 'catalog:read' },
  { name: 'import', path: '/import', permission: 'catalog:read' },
  { name: 'activity', path: '/activity', permission: 'catalog:read' },
  { name: 'settings', path: '/settings' },
]

/** @returns the permission for the screen to which an address belongs: that of `/orders` for `/orders/1001` */
export function permissionAt(path: string): Permission | undefined {
  const [, first] = path.split('/')
  return SCREENS.find((screen) => screen.path === `/${first}`)?.permission
}
