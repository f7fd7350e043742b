import type { Evidence } from './evidence.ts'
import { ofKind } from './operation.ts'
import type { Violation } from './violation.ts'

const GONE = 'cart_not_found'

/** A cart that was acknowledged is there until it becomes an order. */
export function checkCarts({ operations, placed }: Evidence): Violation[] {
  const ordered = new Set(placed.map(({ email }) => email))
  const missing = [
    ...ofKind(operations, 'add-line').filter(({ code }) => code === GONE),
    ...ofKind(operations, 'checkout').filter(({ code, action }) => code === GONE && !ordered.has(action.email)),
  ]
  const carts = new Map(missing.map(({ action: { kind, cartId } }) => [cartId, kind]))
  return [...carts].map(([subject, kind]) => ({
    kind: 'cart lost',
    subject,
    message: `the cart was acknowledged, and ${kind} did not find it`,
  }))
}
