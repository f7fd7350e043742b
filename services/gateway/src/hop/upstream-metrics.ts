import { counter, liveGauge } from '@storefront/chassis'
import type { ServiceName } from '@storefront/contracts'

const retries = counter('storefront_upstream_retries_total', 'Requests that were sent to a service once more', [
  'upstream',
])

/** Requests under way, by the service that has them. */
export const upstreamInFlight = liveGauge<ReadonlyMap<ServiceName, number>>(
  {
    name: 'storefront_upstream_in_flight',
    help: 'Requests that a service has and has not answered',
    labelNames: ['upstream'],
  },
  ([counts]) => [...(counts ?? [])].map(([upstream, value]) => ({ labels: { upstream }, value })),
)

export function countRetry(upstream: ServiceName): void {
  retries.inc({ upstream })
}
