import { createHash } from 'node:crypto'
import { z } from 'zod'
import { badSignature } from '../../errors.ts'
import { isSignedWith } from '../hex-signature.ts'
import type { IncomingWebhook, VerifiedWebhook } from '../provider.ts'
import type { ProviderSecret } from '../provider-secret.ts'

const MAX_EVENT_ID_LENGTH = 200

/** @throws HttpError `bad_signature` */
export function verifyRazorpayWebhook(
  { body, headers }: IncomingWebhook,
  webhookSecret: ProviderSecret,
): VerifiedWebhook {
  const signature = headers['x-razorpay-signature']
  if (typeof signature !== 'string' || !isSignedWith(webhookSecret(), body, signature)) throw badSignature()
  const given = headers['x-razorpay-event-id']
  // The header is not signed, so it may have any form. Without a usable id, the same body again is the same event.
  const isUsable = typeof given === 'string' && given !== '' && given.length <= MAX_EVENT_ID_LENGTH
  return { eventId: isUsable ? given : createHash('sha256').update(body).digest('hex'), type: typeOf(body) }
}

function typeOf(body: Buffer): string {
  try {
    return z.object({ event: z.string().max(100) }).parse(JSON.parse(body.toString('utf8'))).event
  } catch {
    return 'unknown'
  }
}
