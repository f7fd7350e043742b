import { ORDER_STATUSES, type OrderStatus } from '@storefront/contracts'

/** Where an order may go from where it is (decisions, section 5). What is not listed is refused. */
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

/** Statuses that no order can ever reach; the test wants none. */
export function unreachable(): OrderStatus[] {
  const reached = new Set<OrderStatus>(['placed'])
  for (const status of reached) for (const next of TRANSITIONS[status]) reached.add(next)
  return ORDER_STATUSES.filter((status) => !reached.has(status))
}
