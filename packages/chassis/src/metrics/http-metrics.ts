import { histogram, SECONDS } from './registry.ts'

/** What led to no route: random addresses must not make a series each. */
export const UNMATCHED = 'unmatched'
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const duration = histogram(
  'http_server_request_duration_seconds',
  'Requests answered, by the route they took',
  ['method', 'route', 'status'],
  SECONDS,
)

/**
 * Counts a request that was answered.
 * @param answered.route the pattern, never the address
 */
export function countRequest(answered: {
  method: string
  route: string | undefined
  status: number
  seconds: number
}): void {
  const { route = UNMATCHED, status, seconds } = answered
  duration.observe({ method: METHODS.has(answered.method) ? answered.method : 'other', route, status }, seconds)
}
