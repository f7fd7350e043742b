import { z } from 'zod'
import type { TestClient } from '../support/test-client.ts'
import type { WebhookReceiver } from '../support/webhook-receiver.ts'

const Endpoint = z.looseObject({ id: z.string(), secret: z.string() })

/**
 * Has the shop send every `order.paid` to a receiver. Before the load, because an endpoint gets only later events.
 * @returns the id of the endpoint
 */
export async function registerReceiver(
  admin: Pick<TestClient, 'post'>,
  receiver: Pick<WebhookReceiver, 'url' | 'useSecret'>,
): Promise<string> {
  const response = await admin.post('/admin/webhooks', {
    url: `${receiver.url}/api/revalidate`,
    types: ['order.paid'],
    description: 'Checker',
  })
  const { data } = Endpoint.safeParse(response.body)
  // Not the body: it may have a secret.
  if (!data) throw new Error(`the endpoint was rejected with ${response.status}`)
  receiver.useSecret(data.secret)
  return data.id
}
