import type { ServiceName } from '@storefront/contracts'

export function forEachService<Value>(valueOf: (name: ServiceName) => Value): Record<ServiceName, Value> {
  return {
    gateway: valueOf('gateway'),
    catalog: valueOf('catalog'),
    cart: valueOf('cart'),
    orders: valueOf('orders'),
    identity: valueOf('identity'),
    notifier: valueOf('notifier'),
  }
}
