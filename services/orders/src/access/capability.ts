import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isSecret, type Browsers } from '@storefront/http'
import type { Actor } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { isGuestOrderOf } from '../orders/customer-orders.queries.ts'
import type { StoredOrder } from '../orders/order.ts'
import { hasCapability, insertCapabilities } from './capabilities.queries.ts'
import { isClosed } from './closed-orders.queries.ts'

/** The secrets that prove that a browser placed an order, and the customer who is signed in. */
export interface Viewer {
  actor: Actor
  secrets: string[]
}

/** Who makes the request, with the cookie, the X-Order-Token header and the token parameter they may have sent. */
export function viewerOf(browsers: Browsers, request: FastifyRequest, tokenParameter?: string): Viewer {
  const given = [...browsers.secretsOf(request), request.headers['x-order-token'], tokenParameter]
  return { actor: request.actor, secrets: given.filter(isSecret) }
}

/** Grants access to an order with any of these secrets. Only their hashes are stored. */
export async function grant(db: Database | Tx, orderId: string, secrets: readonly string[]): Promise<void> {
  await insertCapabilities(db, orderId, secrets.map(hashSecret))
}

/**
 * Whether this viewer may see the order: its customer, the customer whose address a guest gave, or, when no customer is
 * signed in, a browser that has one of its secrets. A signed-in session takes precedence over the browser
 * (docs/contract.md). No viewer may see an order of a deleted customer.
 */
export async function maySee(db: Database | Tx, order: StoredOrder, { actor, secrets }: Viewer): Promise<boolean> {
  if (await isClosed(db, order.id)) return false
  if (actor.kind === 'customer') {
    if (order.customerId !== null) return order.customerId === actor.customerId
    return isGuestOrderOf(db, order.id, actor.customerId)
  }
  return secrets.length > 0 && hasCapability(db, order.id, secrets.map(hashSecret))
}

/** The stored form of a secret. The secret is random enough that a plain hash cannot be reversed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
