import { histogram, SECONDS } from '@storefront/service'

/** The label of requests without a route: random paths must not make a series each. */
export const UNMATCHED = 'unmatched'
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const duration = histogram(
  'http_server_request_duration_seconds',
  'Requests served, by route',
  ['method', 'route', 'status'],
  SECONDS,
)

/** Counts a served request. @param outcome.route the pattern, never the path */
export function countRequest(outcome: {
  method: string
  route: string | undefined
  status: number
  seconds: number
}): void {
  const { route = UNMATCHED, status, seconds } = outcome
  duration.observe({ method: METHODS.has(outcome.method) ? outcome.method : 'other', route, status }, seconds)
}
