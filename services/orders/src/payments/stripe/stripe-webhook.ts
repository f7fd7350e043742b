import { badSignature } from '../../errors.ts'
import type { IncomingWebhook, VerifiedWebhook } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'
import { loadStripe } from './stripe-client.ts'

const TOLERANCE_SECONDS = 300

/** @throws HttpError `bad_signature` */
export async function verifyStripeWebhook(
  { body, headers }: IncomingWebhook,
  webhookSecret: ProviderSecret,
  now: Date,
): Promise<VerifiedWebhook> {
  const signature = headers['stripe-signature']
  const secret = webhookSecret()
  if (typeof signature !== 'string' || !isSingle(signature) || secret === undefined) throw badSignature()
  const { webhooks } = await loadStripe()
  try {
    const { id, type } = webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
    return { eventId: id, type }
  } catch {
    throw badSignature()
  }
}

/** Several headers of this name arrive joined by a comma. */
function isSingle(signature: string): boolean {
  return signature.split(',').filter((part) => part.trim().startsWith('t=')).length === 1
}
