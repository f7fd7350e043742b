import { counter, liveGauge } from '@storefront/service'
import type { ServiceName } from '@storefront/contracts'

const retries = counter('storefront_upstream_retries_total', 'Requests to a service that were retried', ['upstream'])

/** Running requests, by their service. */
export const upstreamInFlight = liveGauge<ReadonlyMap<ServiceName, number>>(
  {
    name: 'storefront_upstream_in_flight',
    help: 'Requests that are waiting for the response of a service',
    labelNames: ['upstream'],
  },
  ([counts]) => [...(counts ?? [])].map(([upstream, value]) => ({ labels: { upstream }, value })),
)

export function countRetry(upstream: ServiceName): void {
  retries.inc({ upstream })
}
