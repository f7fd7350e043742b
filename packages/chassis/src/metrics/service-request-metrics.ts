import { histogram, SECONDS } from './registry.ts'

export type ServiceRequestOutcome = 'answered' | 'refused' | 'unavailable' | 'failed'

const duration = histogram(
  'storefront_questions_duration_seconds',
  'Requests between services over NATS, as measured by the sender and by the replier',
  ['question', 'side', 'outcome'],
  SECONDS,
)

/** @param startedMs of `performance.now()` */
export function countServiceRequest(
  request: string,
  side: 'asked' | 'answered',
  outcome: ServiceRequestOutcome,
  startedMs: number,
): void {
  duration.observe({ question: request, side, outcome }, (performance.now() - startedMs) / 1000)
}
