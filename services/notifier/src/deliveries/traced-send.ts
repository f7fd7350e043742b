import { linksTo, SpanKind, SpanStatusCode, tracedRoot } from '@storefront/service'
import type { ClaimedDelivery } from './claims.queries.ts'
import type { WebhookResponse } from './send-webhook.ts'

/**
 * An attempt in a trace of its own, which links to the trace that queued it. The URL of a receiver may contain its
 * key, so the span has only the endpoint's id.
 */
export function tracedSend(
  delivery: Pick<ClaimedDelivery, 'endpoint_id' | 'event_id' | 'failures' | 'traceparent'>,
  send: () => Promise<WebhookResponse>,
): Promise<WebhookResponse> {
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': delivery.failures,
    'storefront.webhook.endpoint_id': delivery.endpoint_id,
    'storefront.webhook.id': delivery.event_id,
  }
  const links = linksTo(delivery.traceparent ?? undefined)
  return tracedRoot('send webhook', { kind: SpanKind.CLIENT, attributes, links }, async (span) => {
    const response = await send()
    if (response.status !== null) span?.setAttribute('http.response.status_code', response.status)
    if (response.error !== null) {
      span?.setAttribute('error.type', response.status === null ? 'no_answer' : String(response.status))
      span?.setStatus({ code: SpanStatusCode.ERROR })
    }
    return response
  })
}
