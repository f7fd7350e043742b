import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '@storefront/service'
import type { IncomingWebhook } from '../provider.ts'

/** In both directions: an older one may be a replay, and no clock is ahead by more. */
const TOLERANCE_MS = 5 * MINUTE_MS
const MAX_ID_LENGTH = 200

/**
 * Reads a webhook that is signed as in Standard Webhooks, over its bytes as received.
 * @param secret `whsec_…`; without one no webhook is accepted
 * @returns the id of the message; undefined when the signature is missing, wrong or out of date
 */
export function signedMessageId(
  { body, headers }: IncomingWebhook,
  secret: string | undefined,
  now: Date,
): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return undefined
  const isWellFormed = id !== '' && id.length <= MAX_ID_LENGTH && /^\d{1,12}$/.test(timestamp)
  if (secret === undefined || !isWellFormed) return undefined
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return undefined
  const expected = Buffer.from(signatureOf({ id, timestamp, body }, secret))
  const isRight = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isRight ? id : undefined
}

function signatureOf(message: { id: string; timestamp: string; body: Buffer }, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const hmac = createHmac('sha256', key).update(`${message.id}.${message.timestamp}.`).update(message.body)
  return `v1,${hmac.digest('base64')}`
}
