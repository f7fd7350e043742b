import { counter, histogram, liveGauge } from '@storefront/service'
import type { Decision } from './decide-reservations.ts'

const requests = counter('storefront_reservation_requests_total', 'Requests to hold goods, by outcome', ['outcome'])
const batchSize = histogram(
  'storefront_reservation_batch_size',
  'Requests that were settled in one transaction',
  [],
  [1, 2, 4, 8, 16, 32, 64, 128, 256],
)

export const undecidedRequests = liveGauge<{ readonly size: number }>(
  { name: 'storefront_reservation_requests_undecided', help: 'Requests to hold goods that are not decided yet' },
  (sources) => [{ value: sources.reduce((sum, { size }) => sum + size, 0) }],
)

const OUTCOMES = { held: 'held', again: 'held_before', rejected: 'rejected' } as const satisfies Record<
  Decision['kind'],
  string
>

export function countDecisions(decisions: readonly Decision[]): void {
  batchSize.observe(decisions.length)
  for (const { kind } of decisions) requests.inc({ outcome: OUTCOMES[kind] })
}

export function countUndecided(outcome: 'busy' | 'late' | 'failed'): void {
  requests.inc({ outcome })
}
