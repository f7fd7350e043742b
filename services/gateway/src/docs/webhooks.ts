import { WEBHOOK_PAYLOADS, WEBHOOK_TEST_TYPE, WebhookTestPayload, type WebhookType } from '@storefront/contracts'
import { z } from 'zod'

const PAYLOADS = { ...WEBHOOK_PAYLOADS, [WEBHOOK_TEST_TYPE]: WebhookTestPayload }

const EMITTED: Record<WebhookType | typeof WEBHOOK_TEST_TYPE, string> = {
  'product.updated': 'A product was created or changed, published or hidden, or its published reviews changed',
  'product.deleted': 'A product was deleted',
  'inventory.updated': 'The quantity of a variant that can be bought changed',
  'category.updated': 'A category or collection was saved or deleted',
  'settings.updated': 'The storefront configuration, the vocabulary or a size chart was saved or deleted',
  'order.paid': 'An order was paid',
  'order.fulfilled': 'An order was fulfilled',
  [WEBHOOK_TEST_TYPE]: 'An admin requested a test of the endpoint',
}

const SUMMARIES = new Map(Object.entries(EMITTED))
const MANY = `When more than a hundred products or quantities change at once, by an import, they are not reported one by one: one \`product.updated\` with the slug \`*\` stands for all of them. An endpoint that needs only quantities must therefore subscribe to that type as well, and then read the catalog again.`

const DESCRIPTION = `Signed after [Standard Webhooks](https://www.standardwebhooks.com). A response of 2xx within ten seconds confirms it; anything else is retried. It may arrive twice, then with the same \`webhook-id\`.`

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const HEADERS = [
  header('webhook-id', 'The id of the event, the same at every attempt.'),
  header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the Base64 HMAC-SHA256 of `id.timestamp.body`; two while a secret is rotated.',
  ),
]

/** The webhooks of the shop, for the `webhooks` of its API description. */
export function describeWebhooks(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(PAYLOADS).map(([type, payload]) => {
      // A later version may add fields, which receivers ignore.
      const { $schema: _dialect, additionalProperties: _closed, ...schema } = z.toJSONSchema(payload)
      const post = {
        tags: ['Webhooks'],
        summary: SUMMARIES.get(type),
        description: type === 'inventory.updated' ? `${DESCRIPTION}\n\n${MANY}` : DESCRIPTION,
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'The endpoint has received the webhook.' },
          '410': { description: 'The endpoint wants no more webhooks: the shop disables it.' },
        },
      }
      return [type, { post }]
    }),
  )
}
