import { z } from 'zod'

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
export const WebhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'must be whsec_ followed by base64')
  .refine((secret) => {
    const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return length >= 24 && length <= 64
  }, 'must hold 24 to 64 bytes')
