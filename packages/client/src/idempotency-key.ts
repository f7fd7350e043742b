import type { OperationKey } from './operations.ts'

/** Writes that the shop carries out once for each Idempotency-Key: with one they are safe to repeat. */
export const KEYED_OPERATIONS: ReadonlySet<string> = new Set<OperationKey>([
  'POST /carts/{id}/checkout',
  'POST /checkout/sessions',
  'POST /carts/{id}/lines',
  'DELETE /carts/{id}/lines',
  'PATCH /carts/{id}/lines/{lineId}',
  'DELETE /carts/{id}/lines/{lineId}',
])

/** @returns 32 random hexadecimal digits */
export function randomIdempotencyKey(): string {
  // Not `crypto.randomUUID`, which browsers have only on https pages.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
