import { consume, type Consumer } from '@storefront/messaging'
import { newId, WebhookPayload, type EventDefinition } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { enabledEndpoints } from '../endpoints/endpoints.queries.ts'
import type { Effect } from '../mails/consume-order-events.ts'
import { insertDeliveries, type NewDelivery } from './deliveries.queries.ts'
import { newestOfEach, subjectOf, type DescribedEvent } from './newest-of-each.ts'
import type { WebhookContent } from './webhook-contents.ts'

/**
 * Consumes an event, and queues one delivery of it for each webhook endpoint that wants it, in the transaction of its
 * receipt.
 * @param also other effects of such an event
 */
export function consumeWebhookEvent<Data>(
  context: NotifierContext,
  event: EventDefinition<string, Data>,
  describe: (data: Data) => WebhookContent,
  also?: Effect<Data>,
): Consumer {
  const { clock, deliver } = context
  return consume(
    context,
    event,
    async (tx, events) => {
      const endpoints = (await enabledEndpoints(tx)).filter(({ types }) => types === null || types.includes(event.name))
      if (endpoints.length > 0) {
        const described = newestOfEach(events.map((received) => ({ received, content: describe(received.data) })))
        const webhooks = described.map(webhookOf)
        const deliveries = endpoints.flatMap(({ id: endpointId }) =>
          webhooks.map((webhook) => ({ ...webhook, id: newId('delivery'), endpointId })),
        )
        await insertDeliveries(tx, deliveries, clock.now())
      }
      await also?.handle(tx, events)
    },
    {
      afterCommit() {
        deliver()
        also?.afterCommit()
      },
    },
  )
}

/** What is the same for all endpoints. */
function webhookOf(described: DescribedEvent): Omit<NewDelivery, 'id' | 'endpointId'> {
  const { received, content, mergedEvents = 0 } = described
  const { id, name, at } = received
  return {
    eventId: id,
    type: name,
    // Rejects everything that is not a payload, so that no unintended data leaves the shop.
    body: JSON.stringify(WebhookPayload.parse({ id, type: name, at, ...content.fields })),
    subject: subjectOf(described),
    mergeable: content.mergeable ?? false,
    version: content.version ?? null,
    mergedEvents,
  }
}
