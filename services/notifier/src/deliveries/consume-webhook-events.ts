import { consume, type Consumer } from '@storefront/messaging'
import { newId, WebhookPayload, type EventDefinition, type ReceivedEvent } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { enabledEndpoints } from '../endpoints/endpoints.queries.ts'
import type { Effect } from '../mails/consume-order-events.ts'
import { insertDeliveries, type NewDelivery } from './deliveries.queries.ts'
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

interface DescribedEvent {
  received: Pick<ReceivedEvent<unknown>, 'id' | 'name' | 'at'>
  content: WebhookContent
  /** How many older events of the same batch it replaces. */
  mergedEvents?: number
}

/** Keeps the newest event on each subject, of events that may merge. */
export function newestOfEach(all: DescribedEvent[]): DescribedEvent[] {
  const kept: DescribedEvent[] = []
  const places = new Map<string, number>()
  for (const item of all) {
    const { mergeable, version = 0 } = item.content
    const subject = subjectOf(item)
    const place = mergeable === true ? places.get(subject) : undefined
    const known = place === undefined ? undefined : kept[place]
    if (place === undefined || known === undefined) {
      places.set(subject, kept.push(item) - 1)
      continue
    }
    const newest = version >= (known.content.version ?? 0) ? item : known
    kept[place] = { ...newest, mergedEvents: (known.mergedEvents ?? 0) + 1 }
  }
  return kept
}

function subjectOf({ received, content }: DescribedEvent): string {
  return content.subject ?? `event:${received.id}`
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
