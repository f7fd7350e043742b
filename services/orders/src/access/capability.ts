import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'

const BROWSER_COOKIE = 'store_browser'
const YEAR_SECONDS = 365 * 24 * 3600
const SECRET = /^[A-Za-z0-9_-]{20,100}$/

/** The secrets by which a browser may show that it placed an order, and who is signed in on it. */
export interface Viewer {
  actor: Actor
  secrets: string[]
}

/** 160 random bits: an order is only as private as what opens it. */
export function newSecret(): string {
  return randomBytes(20).toString('base64url')
}

/** Who is asking, with the cookie, the X-Order-Token header and the token parameter he may have brought. */
export function viewerOf(request: FastifyRequest, tokenParameter?: string): Viewer {
  const header = request.headers['x-order-token']
  const given = [request.cookies[BROWSER_COOKIE], typeof header === 'string' ? header : undefined, tokenParameter]
  return {
    actor: request.actor,
    secrets: given.flatMap((each) => (each !== undefined && SECRET.test(each) ? [each] : [])),
  }
}

/** The browser's id: the one it has, or a new one that it gets with the answer. */
export function rememberBrowser(request: FastifyRequest, reply: FastifyReply, crossSite: boolean): string {
  const known = request.cookies[BROWSER_COOKIE]
  const id = known !== undefined && SECRET.test(known) ? known : newSecret()
  void reply.setCookie(BROWSER_COOKIE, id, {
    httpOnly: true,
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: crossSite ? 'none' : 'lax',
    secure: crossSite,
  })
  return id
}

/** Opens an order for whoever has one of these secrets. Only their hashes are kept. */
export async function grant(db: Database | Tx, orderId: string, secrets: readonly string[]): Promise<void> {
  await sql`
    insert into order_capabilities (order_id, secret_hash)
    select ${orderId}, hash from unnest(${secrets.map(hash)}::bytea[]) as hash on conflict do nothing`.execute(db)
}

/**
 * Whether this viewer may see the order: its customer, or, when nobody is signed in, a browser that has a secret of it.
 * A signed-in session wins over the browser (specification, Authentication, rule 4).
 */
export async function maySee(db: Database | Tx, order: StoredOrder, { actor, secrets }: Viewer): Promise<boolean> {
  if (actor.kind === 'customer') return order.customerId === actor.customerId
  if (secrets.length === 0) return false
  const { rows } = await sql`
    select 1 from order_capabilities where order_id = ${order.id} and secret_hash = any(${secrets.map(hash)}::bytea[])
    limit 1`.execute(db)
  return rows.length > 0
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
