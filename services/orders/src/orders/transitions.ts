import { ORDER_STATUSES, type OrderStatus } from '@storefront/contracts'

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

/** Statuses that no order can ever reach; a test checks that there are none. */
export function unreachable(transitions = TRANSITIONS): OrderStatus[] {
  const reached = new Set<OrderStatus>(['placed'])
  for (const status of reached) for (const next of transitions[status]) reached.add(next)
  return ORDER_STATUSES.filter((status) => !reached.has(status))
}
