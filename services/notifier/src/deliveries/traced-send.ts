import { linksTo, SpanKind, SpanStatusCode, tracedRoot } from '@storefront/chassis'
import type { ClaimedDelivery } from './deliveries.queries.ts'
import type { WebhookAnswer } from './send-webhook.ts'

/**
 * An attempt in a trace of its own, which links to the trace that queued it. The URL of a receiver may contain its
 * key, so the span has only the endpoint's id.
 */
export function tracedSend(
  delivery: Pick<ClaimedDelivery, 'endpoint_id' | 'event_id' | 'failures' | 'traceparent'>,
  send: () => Promise<WebhookAnswer>,
): Promise<WebhookAnswer> {
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': delivery.failures,
    'storefront.webhook.endpoint_id': delivery.endpoint_id,
    'storefront.webhook.id': delivery.event_id,
  }
  const links = linksTo(delivery.traceparent ?? undefined)
  return tracedRoot('send webhook', { kind: SpanKind.CLIENT, attributes, links }, async (span) => {
    const answer = await send()
    if (answer.status !== null) span?.setAttribute('http.response.status_code', answer.status)
    if (answer.error !== null) {
      span?.setAttribute('error.type', answer.status === null ? 'no_answer' : String(answer.status))
      span?.setStatus({ code: SpanStatusCode.ERROR })
    }
    return answer
  })
}
