import { CatalogChanged, OrdersChanged, type ConsoleTopic } from '@storefront/contracts'
import type { Messaging } from './messaging.ts'
import { sendSignal } from './signals.ts'

const SIGNALS_OF = { orders: OrdersChanged, catalog: CatalogChanged }

/** The parts of the console that each event makes out of date. */
const TOPICS_OF_EVENTS: Readonly<Record<string, readonly ConsoleTopic[]>> = {
  'order.placed': ['orders', 'attention'],
  'order.paid': ['orders', 'attention'],
  'order.fulfilled': ['orders', 'attention'],
  'tracking.updated': ['orders'],
  'order.cancelled': ['orders', 'attention'],
  'order.refunded': ['orders', 'attention'],
  'inventory.updated': ['stock'],
  'discounts.imported': ['imports'],
}

/**
 * Signals to every gateway, and so to every open console, which of its parts are out of date. No other service has any.
 */
export function sendChanges(messaging: Messaging, topics: readonly ConsoleTopic[]): void {
  const { service } = messaging
  if (topics.length === 0 || (service !== 'orders' && service !== 'catalog')) return
  sendSignal(messaging, SIGNALS_OF[service], { topics: [...new Set(topics)] })
}

/** @param names of the events */
export function topicsOfEvents(names: readonly string[]): ConsoleTopic[] {
  return [...new Set(names)].flatMap((name) => TOPICS_OF_EVENTS[name] ?? [])
}
