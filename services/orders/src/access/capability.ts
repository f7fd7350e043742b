import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { isSecret, type Browsers } from '@storefront/chassis'
import type { Actor } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { isGuestOrderOf } from '../orders/orders.queries.ts'
import { isClosed } from './closed-orders.queries.ts'

/** The secrets by which a browser may show that it placed an order, and who is signed in on it. */
export interface Viewer {
  actor: Actor
  secrets: string[]
}

/** Who is asking, with the cookie, the X-Order-Token header and the token parameter he may have brought. */
export function viewerOf(browsers: Browsers, request: FastifyRequest, tokenParameter?: string): Viewer {
  const given = [...browsers.secretsOf(request), request.headers['x-order-token'], tokenParameter]
  return { actor: request.actor, secrets: given.filter(isSecret) }
}

/** Opens an order for whoever has one of these secrets. Only their hashes are kept. */
export async function grant(db: Database | Tx, orderId: string, secrets: readonly string[]): Promise<void> {
  await sql`
    insert into order_capabilities (order_id, secret_hash)
    select ${orderId}, hash from unnest(${secrets.map(hashSecret)}::bytea[]) as hash on conflict do nothing`.execute(db)
}

/**
 * Whether this viewer may see the order: its customer, the customer whose address a guest gave, or, when nobody is
 * signed in, a browser that has a secret of it.
 * A signed-in session wins over the browser (specification, Authentication, rule 4). An order of a deleted customer opens for
 * no one.
 */
export async function maySee(db: Database | Tx, order: StoredOrder, { actor, secrets }: Viewer): Promise<boolean> {
  if (await isClosed(db, order.id)) return false
  if (actor.kind === 'customer') {
    if (order.customerId !== null) return order.customerId === actor.customerId
    return isGuestOrderOf(db, order.id, actor.customerId)
  }
  if (secrets.length === 0) return false
  const { rows } = await sql`
    select 1 from order_capabilities where order_id = ${order.id} and secret_hash = any(${secrets.map(hashSecret)}::bytea[])
    limit 1`.execute(db)
  return rows.length > 0
}

/** What is kept of a secret. It is random enough that a plain hash cannot be turned back. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
