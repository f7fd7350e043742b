import { sql, type Kysely, type RawBuilder } from 'kysely'

/** Statements in the schema of orders that return other rows than they declare; the last is right. */
export const WRONG_ROWS = [
  (db: Kysely<unknown>) => sql<{ id: string }>`select id, number from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ id: string; email: string }>`select id from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ orderId: string }>`delete from orders returning id as order_id`.execute(db),
  (db: Kysely<unknown>) => sql<{ placed_at: string }>`select placed_at from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ claim: string }>`select claim from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ status: 'placed' | 'paid' }>`select status from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ document: { id: string } }>`select document from orders`.execute(db),
  (db: Kysely<unknown>) =>
    sql<{ id: string }>`select o.id from claims c left join orders o on o.claim = c.claim`.execute(db),
  (db: Kysely<unknown>) => sql<{ total: string }>`select count(*) as total from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ ids: number[] }>`select array_agg(id) as ids from orders`.execute(db),
  (db: Kysely<unknown>) => sql<{ traceparent: string }>`select traceparent from outbox`.execute(db),
  (db: Kysely<unknown>) => sql<{ id: string }>`select order_id as id from orders`.execute(db),
  () => sql<{ id: string }>`select id from orders`,
  (db: Kysely<unknown>, of: RawBuilder<unknown>) => sql<{ id: string }>`select id from ${of}`.execute(db),
  (db: Kysely<unknown>) => sql<{ claim: string }>`select claim from orders where claim is not null`.execute(db),
]
