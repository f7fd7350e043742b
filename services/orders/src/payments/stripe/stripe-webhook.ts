import { badSignature } from '../../errors.ts'
import type { IncomingWebhook, VerifiedWebhook } from '../provider.ts'
import type { ProviderSecrets } from '../provider-secrets.ts'
import { loadStripe } from './stripe-client.ts'

const TOLERANCE_SECONDS = 300

/** @throws Refusal `bad_signature` */
export async function verifyStripeWebhook(
  { body, headers }: IncomingWebhook,
  webhookSecret: ProviderSecrets,
  now: Date,
): Promise<VerifiedWebhook> {
  const signature = headers['stripe-signature']
  const secrets = webhookSecret.signing()
  if (typeof signature !== 'string' || !isSingle(signature) || secrets.length === 0) throw badSignature()
  const { webhooks } = await loadStripe()
  for (const secret of secrets) {
    try {
      const { id, type } = webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
      return { eventId: id, type }
    } catch {
      // Perhaps the other secret.
    }
  }
  throw badSignature()
}

/** Two headers of this name come as one with a comma between them. */
function isSingle(signature: string): boolean {
  return signature.split(',').filter((part) => part.trim().startsWith('t=')).length === 1
}
