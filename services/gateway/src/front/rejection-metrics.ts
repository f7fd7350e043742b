import { counter } from '@storefront/service'
import type { Route } from './routes.ts'

const rateLimited = counter(
  'storefront_rate_limited_total',
  'Requests rejected because an address sent too many, by the limit',
  ['limit'],
)
const shed = counter('storefront_load_shed_total', 'Requests rejected because the gateway was overloaded', [])

/** @param limit `concurrency` for too many at the same time */
export function countRateLimited(limit: 'general' | 'webhooks' | 'concurrency' | NonNullable<Route['limit']>): void {
  rateLimited.inc({ limit })
}

export function countShed(): void {
  shed.inc()
}
