import { sql } from 'kysely'
import { anyUnlocked, plannedOnce } from '@storefront/postgres'
import type { Database, SessionStatus, Tx } from '../database.ts'
import type { DueSession, StoredSession } from './session.ts'

const COLUMNS = sql`id, order_id as "orderId", cart_id as "cartId", asked_cart_id as "requestedCartId",
  merged_cart_ids as "mergedCartIds", line_ids as "lineIds", provider,
  provider_session as "providerSession", url, status, customer_id as "customerId", email, document,
  number_prefix as "numberPrefix", request_hash as "requestHash", claim, discount_claim as "discountClaim",
  secret_hashes as "secretHashes", success_url as "successUrl", cancel_url as "cancelUrl", created_at as "createdAt",
  expires_at as "expiresAt", buyer_keys as "buyerKeys"`

/** As in the predicate of the unique index: a cart has at most one open session. */
const WAITING = sql`status in ('creating', 'open')`

// Batches are selected once, as an array: a subquery behind `in` may be executed again for every row, and then more is
// taken.

/**
 * The maximum number of browsers and tokens that one session opens for. The newest are kept: repeated checkouts come
 * from one buyer.
 */
const MAX_SECRETS = 40

export async function findSession(db: Database | Tx, id: string): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`select ${COLUMNS} from payment_sessions where id = ${id}`.execute(db)
  return rows[0]
}

/** Whether this order was begun at a provider's page. */
export async function hasSession(db: Database, orderId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from payment_sessions where order_id = ${orderId}`.execute(db)
  return rows.length > 0
}

export async function findWaitingSession(db: Database | Tx, cartId: string): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    select ${COLUMNS} from payment_sessions where cart_id = ${cartId} and ${WAITING}`.execute(db)
  return rows[0]
}

/** The last session of a cart since then, whatever its status. */
export async function findLatestSession(
  db: Database | Tx,
  cartId: string,
  since: Date,
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    select ${COLUMNS} from payment_sessions
    where (cart_id = ${cartId} or asked_cart_id = ${cartId}) and created_at > ${since}
    order by created_at desc, id limit 1`.execute(db)
  return rows[0]
}

/** The session that a provider's update is about, by any of its ids. */
export async function findNamedSession(
  db: Database | Tx,
  names: {
    provider: string
    sessionId: string | undefined
    providerSession: string | undefined
    orderId: string | undefined
  },
): Promise<StoredSession | undefined> {
  const { provider, sessionId = null, providerSession = null, orderId = null } = names
  const { rows } = await sql<StoredSession>`
    select ${COLUMNS} from payment_sessions
    where provider = ${provider}
      and (id = ${sessionId} or (provider = ${provider} and provider_session = ${providerSession}) or order_id = ${orderId})
    order by (id = ${sessionId}) desc nulls last limit 1`.execute(db)
  return rows[0]
}

/**
 * Serializes the decisions about these carts: a session that is being created is invisible to an order that is being
 * written, and the other way round.
 */
export async function lockCarts(tx: Tx, cartIds: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtext('cart'), key) from (
      select distinct hashtext(cart_id) as key from unnest(${[...cartIds]}::text[]) as cart_id order by key) keys /* sent with the next */`.execute(
    tx,
  )
}

/**
 * Locks these carts, this session, and other open sessions of these carts or lines, by ascending id, so that two
 * payments of one cart cannot deadlock.
 * @param options.discountClaim of the redemption, if there is one: then also sessions with a redemption whose cart one
 * of these was merged into, because cart counts the redemptions of merged carts as one
 */
export async function lockSessions(
  tx: Tx,
  {
    id,
    cartIds,
    lineIds,
    discountClaim = null,
  }: { id: string | null; cartIds: readonly string[]; lineIds: readonly string[]; discountClaim?: string | null },
): Promise<StoredSession[]> {
  await lockCarts(tx, cartIds)
  // Left out where they find nothing: PostgreSQL would search an index for each.
  const named = id === null ? sql`` : sql`id = ${id} or`
  const merged =
    discountClaim === null
      ? sql``
      : sql`or (merged_cart_ids && ${plannedOnce(cartIds)} and discount_claim is not null and ${WAITING})`
  const { rows } = await sql<StoredSession>`
    select ${COLUMNS} from payment_sessions
    where ${named} (cart_id = any(${plannedOnce(cartIds)}) and ${WAITING})
      or (line_ids && ${plannedOnce(lineIds)} and ${WAITING}) ${merged}
    order by id for update`.execute(tx)
  return rows
}

/**
 * Open sessions of these carts or lines, and ended ones of these carts whose goods may not be free yet: a request is
 * just releasing them, or died before it did.
 * @param goods.expiresAfter the goods of sessions that expired before are released by their deadline
 * @param goods.givenUpAfter goods that were given up before are released
 */
export async function findHoldingSessions(
  db: Database,
  goods: { cartIds: readonly string[]; lineIds: readonly string[]; expiresAfter: Date; givenUpAfter: Date },
): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select ${COLUMNS} from payment_sessions
    where (line_ids && ${[...goods.lineIds]}::text[] and ${WAITING})
      or (cart_id = any(${[...goods.cartIds]}) and (${WAITING}
        or (status <> 'completed' and expires_at > ${goods.expiresAfter}::timestamptz and not exists (
          select from claims where claims.claim = payment_sessions.claim
            and (verdict = 'ordered' or decided_at <= ${goods.givenUpAfter}::timestamptz)))))
    order by id`.execute(db)
  return rows
}

/** @returns whether it was inserted: not when this cart has an open session already */
export async function insertSession(tx: Tx, session: StoredSession): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_sessions (id, order_id, cart_id, asked_cart_id, merged_cart_ids, line_ids, provider, status, customer_id, email, document,
      number_prefix, request_hash, claim, discount_claim, secret_hashes, success_url, cancel_url, created_at, expires_at, buyer_keys)
    values (${session.id}, ${session.orderId}, ${session.cartId}, ${session.requestedCartId},
      ${session.mergedCartIds}::text[], ${session.lineIds}::text[], ${session.provider},
      ${session.status}, ${session.customerId}, ${session.email}, ${JSON.stringify(session.document)}::jsonb,
      ${session.numberPrefix}, ${session.requestHash}, ${session.claim}, ${session.discountClaim},
      ${session.secretHashes}::bytea[], ${session.successUrl}, ${session.cancelUrl}, ${session.createdAt}::timestamptz,
      ${session.expiresAt}::timestamptz, ${session.buyerKeys}::text[])
    on conflict (cart_id) where ${WAITING} do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** Records that the provider has a page for it. @returns undefined when it was ended meanwhile */
export async function markOpen(
  db: Database | Tx,
  id: string,
  { providerSession, url }: { providerSession: string; url: string | undefined },
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    update payment_sessions set status = 'open', provider_session = ${providerSession}, url = ${url ?? null}
    where id = ${id} and status = 'creating' returning ${COLUMNS}`.execute(db)
  return rows[0]
}

/** Stores the provider's id of a session that was ended before the id was known: a late update may use it. */
export async function noteProviderSession(db: Database, id: string, providerSession: string): Promise<void> {
  await sql`
    update payment_sessions set provider_session = ${providerSession}
    where id = ${id} and provider_session is null`.execute(db)
}

/** Lets more secrets open an open session. @returns undefined when it is no longer open */
export async function admitToSession(
  db: Database | Tx,
  id: string,
  { secretHashes, discountClaim }: { secretHashes: readonly Buffer[]; discountClaim: string | null },
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    update payment_sessions set discount_claim = ${discountClaim},
      secret_hashes = (
        select array_agg(hash order by place) from (
          select hash, max(place) as place
          from unnest(secret_hashes || ${[...secretHashes]}::bytea[]) with ordinality as t (hash, place)
          group by hash order by max(place) desc limit ${MAX_SECRETS}) as newest)
    where id = ${id} and status = 'open' returning ${COLUMNS}`.execute(db)
  return rows[0]
}

/** Ends open sessions. @returns those that this call ended */
export async function endSessions(
  db: Database | Tx,
  sessions: readonly Pick<StoredSession, 'id'>[],
  status: Exclude<SessionStatus, 'creating' | 'open' | 'completed'>,
): Promise<StoredSession[]> {
  if (sessions.length === 0) return []
  const { rows } = await sql<StoredSession>`
    update payment_sessions set status = ${status}, buyer_keys = '{}'
    where id = any(${sessions.map(({ id }) => id)}) and ${WAITING} returning ${COLUMNS}`.execute(db)
  return rows
}

/** Its order is placed with these holds. The session must be locked. */
export async function completeSession(
  tx: Tx,
  id: string,
  { claim, discountClaim }: { claim: string | null; discountClaim: string | null },
): Promise<void> {
  await sql`
    update payment_sessions set status = 'completed', claim = ${claim}, discount_claim = ${discountClaim}, buyer_keys = '{}'
    where id = ${id} /* sent with the next */`.execute(tx)
}

/**
 * Claims sessions whose deadline for payment was before the given time, each for one replica. Their end is set to now:
 * they are due again after the same delay if this replica dies. Their deadline is kept for the reconciliation.
 */
export async function claimDueSessions(
  db: Database,
  { endedBefore, now, limit }: { endedBefore: Date; now: Date; limit: number },
): Promise<DueSession[]> {
  const due = sql`
    select id from payment_sessions where status = 'open' and expires_at <= ${endedBefore} order by expires_at`
  const { rows } = await sql<DueSession>`
    update payment_sessions set expires_at = ${now}::timestamptz, due_since = coalesce(due_since, expires_at)
    where id = ${anyUnlocked(due, limit)}
    returning ${COLUMNS}, coalesce(due_since, expires_at) as "dueSince"`.execute(db)
  return rows
}

/** Sessions that a crash left behind during the call to the provider. @returns those that this call ended */
export async function failStuckSessions(
  db: Database,
  { begunBefore, limit }: { begunBefore: Date; limit: number },
): Promise<StoredSession[]> {
  const stuck = sql`
    select id from payment_sessions where status = 'creating' and created_at <= ${begunBefore} order by id`
  const { rows } = await sql<StoredSession>`
    update payment_sessions set status = 'failed', buyer_keys = '{}' where id = ${anyUnlocked(stuck, limit)}
    returning ${COLUMNS}`.execute(db)
  return rows
}
