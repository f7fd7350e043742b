import { counter, liveGauge } from '@storefront/service'
import { countRequest } from '@storefront/http'
import type { Store } from '../edge-cache/store.ts'
import type { AccessLog } from './access-log.ts'

const cacheRequests = counter(
  'storefront_edge_cache_requests_total',
  'Requests for public responses, by the result of the edge cache',
  ['outcome'],
)
const faults = counter(
  'storefront_upstream_faults_total',
  'Requests that a service failed to answer, by the kind of failure',
  ['upstream', 'fault'],
)

export const cacheBytes = liveGauge<Pick<Store, 'bytes'>>(
  { name: 'storefront_edge_cache_bytes', help: 'Memory of the responses in the edge cache' },
  (stores) => [{ value: stores.reduce((sum, { bytes }) => sum + bytes, 0) }],
)

/** Counts each logged request before its line is written. */
export function countRequests(log: AccessLog): AccessLog {
  return (context, status) => {
    const { method, route, cache, fault, startedMs } = context
    // A request that lasts for hours would count as slow.
    if (!route?.lasting)
      countRequest({ method, route: route?.path, status, seconds: (performance.now() - startedMs) / 1000 })
    if (cache !== undefined) cacheRequests.inc({ outcome: cache.toLowerCase() })
    if (fault !== undefined) faults.inc({ upstream: route?.to ?? 'none', fault })
    log(context, status)
  }
}
