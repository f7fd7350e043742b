import type { ServiceName } from '@storefront/contracts'

/** Services that send requests stop before those that reply to them. */
export const STOP_ORDER = [
  'gateway',
  'orders',
  'cart',
  'catalog',
  'identity',
  'notifier',
] as const satisfies readonly ServiceName[]
