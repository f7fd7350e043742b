import { counter, countRequest, liveGauge } from '@storefront/chassis'
import type { Store } from '../edge-cache/store.ts'
import type { AccessLog } from './access-log.ts'

const cacheRequests = counter(
  'storefront_edge_cache_requests_total',
  'Requests for what everybody may share, by what the edge cache made of them',
  ['outcome'],
)
const faults = counter(
  'storefront_upstream_faults_total',
  'Requests that a service did not answer as it should, by what went wrong on the way',
  ['upstream', 'fault'],
)

/** Bytes that the edge cache holds. */
export const cacheBytes = liveGauge<Pick<Store, 'bytes'>>(
  { name: 'storefront_edge_cache_bytes', help: 'Memory of the answers that the edge cache keeps' },
  (stores) => [{ value: stores.reduce((sum, { bytes }) => sum + bytes, 0) }],
)

/** Counts each request of the log before its line is written. */
export function countVisits(log: AccessLog): AccessLog {
  return (visit, status) => {
    const { method, route, cache, fault, startedMs } = visit
    countRequest({ method, route: route?.path, status, seconds: (performance.now() - startedMs) / 1000 })
    if (cache !== undefined) cacheRequests.inc({ outcome: cache.toLowerCase() })
    if (fault !== undefined) faults.inc({ upstream: route?.to ?? 'none', fault })
    log(visit, status)
  }
}
