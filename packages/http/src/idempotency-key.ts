import { z } from 'zod'

/** The value of the header `Idempotency-Key`. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible characters and no spaces')
