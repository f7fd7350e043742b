import { histogram, SECONDS } from '@storefront/service'

/** `rejected` is a reply with an error that the sender caused; `unavailable` means an outage or no reply in time. */
export type ServiceRequestOutcome = 'replied' | 'rejected' | 'unavailable' | 'failed'

const duration = histogram(
  'storefront_service_requests_duration_seconds',
  'Requests between services over NATS, as measured by the sender and by the service that replies',
  ['request', 'side', 'outcome'],
  SECONDS,
)

/** @param startedMs of `performance.now()` */
export function countServiceRequest(
  request: string,
  side: 'sent' | 'served',
  outcome: ServiceRequestOutcome,
  startedMs: number,
): void {
  duration.observe({ request, side, outcome }, (performance.now() - startedMs) / 1000)
}
