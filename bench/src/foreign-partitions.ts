import { setTimeout } from 'node:timers/promises'
import type { Client, PoolClient } from 'pg'
import { newId } from '@storefront/contracts'
import { measureOneByOne, shownTimes } from './measure.ts'
import { serverOf } from './merged-orders.ts'
import { byNumberSql, firstPage, pageSql, SHOWN, type Subject } from './order-reads.ts'
import { addForeignServer, openOrderServer, serverAt, type OrderServer } from './order-servers.ts'
import type { Sample } from './place-purchase.ts'
import { inShopDatabase, shopDatabaseUrl } from './shop-database.ts'

const TIMES = 100
/** Until an update waits for the lock of another one. */
const LOCKED_AFTER_MS = 500

/** The tables of both schemas, with the column that has a cart's id. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    case when c.relname = 'carts' then 'id'
      else (select attname::text from pg_attribute where attrelid = c.oid and attname = 'cart_id') end as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('orders', 'cart') and c.relkind = 'r' order by 1, 2`
const UNIQUE_INDEXES = `
  select pg_get_indexdef(indexrelid) as sql from pg_index where indisunique and indrelid = any($1::regclass[])`
const FOREIGN_KEYS = `
  select 'alter table ' || conrelid::regclass || ' add ' || pg_get_constraintdef(oid) as sql from pg_constraint
  where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`

const insertCart = (table: string) => `insert into ${table} (id, created_at, expires_at) values ($1, now(), now())`
const INSERT_CART = insertCart('front.carts')
const UPSERT_CART = `${INSERT_CART} on conflict (id) do update set version = 2`
const CHANGE_CART = 'update front.carts set version = version + 1 where id = $1'
/** An order's row alone: the other tables of an order have no cart to be divided by. */
const insertOrder = (table: string) => `
  insert into ${table} (id, number, cart_id, email, email_canonical, status, placed_at, document, payment_provider,
    payment_status)
  values ($1, $1, $2, $3, $3, 'placed', now(), $4::jsonb, 'demo', 'pending')`

/**
 * Divides the tables with a cart's id into partitions on two or more servers with `postgres_fdw`, and finds out what an
 * additional server in front of them can do.
 * @returns rows of a table
 */
export async function tryForeignPartitions(
  servers: readonly OrderServer[],
  shop: { subject: Subject; sample: Sample },
): Promise<string[][]> {
  const front = await openOrderServer(servers.length)
  try {
    return [
      ...(await inShopDatabase(front.server.url, (client) => divideTables(client, servers))),
      ['insert … on conflict (id) do update', await outcomeOf(front.pool.query(UPSERT_CART, [newId('cart')]))],
      ['two-phase commit', await prepareTransaction(front)],
      ['the second of two updates of a cart at once', await updateAtOnce(front)],
      ['commit after the first of two servers was lost', await commitWithout(0, front, servers)],
      ['commit after the second was lost', await commitWithout(1, front, servers)],
      ...(await timesOf(front, servers, shop)),
    ]
  } finally {
    await front.remove()
  }
}

/** Creates the partitions, and then tries every unique index and foreign key of their tables. */
async function divideTables(client: Client, servers: readonly OrderServer[]): Promise<string[][]> {
  for (const [place, { server }] of servers.entries())
    await addForeignServer(client, `part_${place}`, shopDatabaseUrl(server.url))
  await client.query('create schema front')
  const { rows: tables } = await client.query<{ schema: string; name: string; key: string | null }>(TABLES)
  const divided = tables.filter(({ key }) => key !== null)
  for (const { schema, name, key } of divided) {
    // PostgreSQL hashes in another way than we do: only a condition on the key would miss the orders that are there.
    await client.query(
      `create table front.${name} (like ${schema}.${name} including defaults) partition by hash (${key})`,
    )
    for (const place of servers.keys())
      await client.query(`create foreign table front.${name}_${place} partition of front.${name}
        for values with (modulus ${servers.length}, remainder ${place})
        server part_${place} options (schema_name '${schema}', table_name '${name}')`)
  }
  const names = divided.map(({ name }) => name)
  const outcomesOf = async (query: string) => {
    const outcomes: string[] = []
    const whole = divided.map(({ schema, name }) => `${schema}.${name}`)
    const { rows } = await client.query<{ sql: string }>(query, [whole])
    for (const { sql } of rows) {
      // With each of the tables replaced by the divided one.
      const statement = sql.replaceAll(/\b(?:orders|cart)\.(\w+)/g, (table: string, name: string) =>
        names.includes(name) ? `front.${name}` : table,
      )
      outcomes.push(await outcomeOf(client.query(statement)))
    }
    const counts = Map.groupBy(outcomes, (outcome) => outcome)
    return [...counts].map(([outcome, { length }]) => `${length} of ${rows.length}: ${outcome}`).join('; ')
  }
  return [
    ['tables with the id of a cart', `${names.length} of ${tables.length}: ${names.join(', ')}`],
    ['their unique indexes', await outcomesOf(UNIQUE_INDEXES)],
    ['foreign keys from and to them', await outcomesOf(FOREIGN_KEYS)],
  ]
}

/** The first line of the error, without names. */
function outcomeOf(done: Promise<unknown>): Promise<string> {
  return done.then(
    () => 'accepted',
    (error: unknown) =>
      String(error)
        .replaceAll(/"[^"]*"/g, '…')
        .split('\n', 1)
        .join(''),
  )
}

/** The connection is closed afterwards, whatever has become of the transaction. */
async function inTransaction(front: OrderServer, work: (client: PoolClient) => Promise<string>): Promise<string> {
  const client = await front.pool.connect()
  try {
    await client.query('begin')
    return await work(client)
  } finally {
    client.release(true)
  }
}

function prepareTransaction(front: OrderServer): Promise<string> {
  return inTransaction(front, async (client) => {
    await client.query(INSERT_CART, [newId('cart')])
    return outcomeOf(client.query(`prepare transaction 'purchase'`))
  })
}

async function updateAtOnce(front: OrderServer): Promise<string> {
  const id = newId('cart')
  await front.pool.query(INSERT_CART, [id])
  return inTransaction(front, async (client) => {
    await client.query(CHANGE_CART, [id])
    const second = outcomeOf(front.pool.query(CHANGE_CART, [id]))
    await setTimeout(LOCKED_AFTER_MS)
    await client.query('commit')
    return second
  })
}

/** A transaction that has written on two servers, of which one is killed before the commit. */
function commitWithout(lost: number, front: OrderServer, servers: readonly OrderServer[]): Promise<string> {
  const id = newId('cart')
  const { server } = serverAt(servers, lost)
  return inTransaction(front, async (client) => {
    for (const place of [0, 1]) await client.query(insertCart(`front.carts_${place}`), [id])
    await server.kill()
    const outcome = await outcomeOf(client.query('commit'))
    await server.start()
    const kept = servers.slice(0, 2).map(async ({ pool }, place) => {
      const { rowCount } = await pool.query('select from cart.carts where id = $1', [id])
      return `${rowCount} on ${place === lost ? 'the lost one' : 'the other'}`
    })
    return `${outcome}; rows: ${(await Promise.all(kept)).join(', ')}`
  })
}

async function timesOf(
  front: OrderServer,
  servers: readonly OrderServer[],
  { subject, sample }: { subject: Subject; sample: Sample },
): Promise<string[][]> {
  const time = async (work: () => Promise<unknown>) => shownTimes(await measureOneByOne(TIMES, work))
  const through = (text: string, values: unknown[]) => time(() => front.pool.query(text, values))
  const insert = (table: string, serverFor: (cartId: string) => OrderServer) => {
    const cartId = newId('cart')
    const values = [newId('order'), cartId, sample.email, JSON.stringify(sample.document)]
    return serverFor(cartId).pool.query(insertOrder(table), values)
  }
  const own = (cartId: string) => serverAt(servers, serverOf(cartId, servers.length))
  return [
    ['an order inserted on its server', await time(() => insert('orders', own))],
    ['the same through the front', await time(() => insert('front.orders', () => front))],
    ['first page with its orders, merged', await time(() => firstPage(servers))],
    ['its positions through the front', await through(pageSql('front.orders'), [SHOWN])],
    ['those of the middle', await through(pageSql('front.orders', Math.floor(subject.orders / 2)), [SHOWN])],
    ['an order by its number through the front', await through(byNumberSql('front.orders'), [subject.number])],
  ]
}
