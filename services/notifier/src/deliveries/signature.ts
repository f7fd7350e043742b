import { createHmac } from 'node:crypto'

/**
 * The headers by which a receiver verifies a delivery, after Standard Webhooks.
 * @param secrets `whsec_…`; two while a secret is being replaced, so that either is accepted
 * @param at of this attempt: receivers reject old signatures
 */
export function signatureHeaders(
  secrets: readonly string[],
  delivery: { webhookId: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(delivery.at.getTime() / 1000))
  const signed = `${delivery.webhookId}.${timestamp}.${delivery.body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': delivery.webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
