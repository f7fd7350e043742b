import type { OrderStatus } from '@storefront/contracts'

/** The statuses an order may change to from its current one (docs/contract.md). Any other change is rejected. */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ['paid', 'fulfilled', 'cancelled'],
  paid: ['fulfilled', 'cancelled'],
  fulfilled: ['delivered'],
  delivered: [],
  cancelled: [],
}

export function mayBecome(from: OrderStatus, to: OrderStatus): boolean {
  return TRANSITIONS[from].includes(to)
}
