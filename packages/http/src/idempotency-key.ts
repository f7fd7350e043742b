import { hash } from 'node:crypto'
import { z } from 'zod'

/** The value of the header `Idempotency-Key`. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible characters and no spaces')

/** Identifies a key with its caller, or a request. Rows have it, so its bytes must stay the same. */
export function digestOf(value: unknown): Buffer {
  return hash('sha256', JSON.stringify(value), 'buffer')
}
