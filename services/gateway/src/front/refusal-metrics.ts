import { counter } from '@storefront/chassis'
import type { Route } from '../routes.ts'

const rateLimited = counter(
  'storefront_rate_limited_total',
  'Requests refused because an address had too many, by the limit that refused them',
  ['limit'],
)
const shed = counter(
  'storefront_load_shed_total',
  'Requests refused because the gateway had more to do than it can',
  [],
)

/** @param limit `concurrency` for too many at the same time */
export function countRateLimited(limit: 'general' | 'webhooks' | 'concurrency' | NonNullable<Route['limit']>): void {
  rateLimited.inc({ limit })
}

export function countShed(): void {
  shed.inc()
}
