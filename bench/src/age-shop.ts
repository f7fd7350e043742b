import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import type { RunningShop } from '@storefront/tools/launch'
import { COPY_TABLES, type Fill } from './aged-copies.ts'
import { ORDER_FILLS, ORDER_SUMS } from './aged-orders.ts'
import { CUSTOMER_FILLS, OTHER_FILLS } from './aged-others.ts'
import { showLoadProgress } from './load-progress.ts'
import { signInMerchant, type Merchant } from './merchant.ts'
import { inShopDatabase } from './shop-database.ts'
import { Shopper } from './shopper.ts'
import { vacuumDatabase } from './vacuum-database.ts'

/** How many orders end in each of the four ways, before they are copied. */
const ORIGINALS_OF_A_KIND = 50
const MAX_LINES = 3
const BUYERS_AT_ONCE = 8
/** Copies in one transaction. */
const BLOCK = 20_000
const POLL_MS = 500
const LONGEST_WAIT_MS = 600_000

const Products = z.object({
  items: z.array(z.object({ variants: z.array(z.object({ id: z.string(), inventory: z.number() })) })),
})

const OrderStatus = z.object({ status: z.string() })

export interface History {
  orders: number
  customers: number
}

/**
 * Gives a shop the history of five years. Two hundred orders are placed, paid, sent and delivered or canceled through
 * the API; everything that the services have stored of them is then copied in the database, with other buyers, times
 * and ids.
 */
export async function ageShop(shop: RunningShop, history: History): Promise<void> {
  await inShopDatabase(shop.databaseAdminUrl, async (client) => {
    // A catalog that was just imported keeps the services busy for a while.
    await untilSettled(client)
    await placeOriginals(shop, await signInMerchant(shop))
    await untilSettled(client)
    await copy(client, history)
  })
  console.error('Tidying the database up.')
  await vacuumDatabase(shop.databaseAdminUrl)
}

/** A quarter of the orders stays paid, one is sent, one is delivered, and one is canceled and refunded. */
async function placeOriginals(shop: RunningShop, merchant: Merchant): Promise<void> {
  const shopper = new Shopper(shop.url, BUYERS_AT_ONCE)
  const { items } = Products.parse(await shopper.call('GET', '/products?per_page=48&available=1'))
  const variantIds = items.flatMap(({ variants }) =>
    variants.filter(({ inventory }) => inventory > 0).map(({ id }) => id),
  )
  const total = 4 * ORIGINALS_OF_A_KIND
  let next = 0
  const buy = async () => {
    for (let number = next++; number < total; number = next++) {
      const { id } = await shopper.createCart()
      for (let line = 0; line <= number % MAX_LINES; line++)
        await shopper.addLine(id, variantIds[(number * MAX_LINES + line) % variantIds.length] ?? '')
      await finish(merchant, await shopper.checkOut(id), number % 4)
    }
  }
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buy))
  await shopper.close()
}

async function finish(merchant: Merchant, orderId: string, kind: number): Promise<void> {
  await untilPaid(merchant, orderId)
  const change = (body: unknown) => merchant.call('PATCH', `/admin/orders/${orderId}`, body)
  if (kind === 1) {
    await change({ status: 'cancelled' })
    await merchant.call('POST', `/admin/orders/${orderId}/refunds`, {})
  }
  if (kind >= 2) await change({ status: 'fulfilled', tracking: { carrier: 'UPS', code: `1Z${orderId.slice(-16)}` } })
  if (kind === 3) await change({ status: 'delivered' })
}

async function untilPaid(merchant: Merchant, orderId: string): Promise<void> {
  const untilMs = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < untilMs) {
    const { status } = OrderStatus.parse(await merchant.call('GET', `/admin/orders/${orderId}`))
    if (status === 'paid') return
    await setTimeout(POLL_MS)
  }
  throw new Error(`the order ${orderId} was not paid after ${LONGEST_WAIT_MS / 1000} s`)
}

const UNSETTLED = `
  select exists (select from orders.order_search_queue) or exists (select from orders.sales_changes)
    or exists (select from orders.buyer_changes) or exists (select from orders.outbox) or exists (select from catalog.outbox)
    or exists (select from catalog.refresh_queue) or exists (select from catalog.import_jobs where finished_at is null)
    or exists (select from orders.refunds where status = 'pending')
    or exists (select from notifier.mails where settled_at is null)
    or exists (select from notifier.deliveries where settled_at is null)
    or exists (select from catalog.reservations where status = 'held') as waiting`

/** Waits until every service has processed the effects of the catalog and the orders. */
async function untilSettled(client: Client): Promise<void> {
  const untilMs = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < untilMs) {
    const { rows } = await client.query<{ waiting: boolean }>(UNSETTLED)
    if (rows[0]?.waiting !== true) return
    await setTimeout(POLL_MS)
  }
  throw new Error(`the shop was still busy after ${LONGEST_WAIT_MS / 1000} s`)
}

async function copy(client: Client, { orders, customers }: History): Promise<void> {
  // Triggers would queue each copy for the services, one by one; what they would compute is filled in instead.
  for (const setting of [
    'session_replication_role = replica',
    'synchronous_commit = off',
    `maintenance_work_mem = '256MB'`,
    'jit = off',
  ])
    await client.query(`set ${setting}`)
  for (const { sql, needs } of COPY_TABLES)
    await client.query(
      sql,
      needs.map((each) => ({ orders, customers })[each]),
    )
  for (const fill of ORDER_FILLS.concat(OTHER_FILLS)) await fillTable(client, fill, orders)
  for (const statement of ORDER_SUMS) await client.query(statement)
  for (const fill of CUSTOMER_FILLS) await fillTable(client, fill, customers)
  await client.query(`select setval('orders.order_numbers', $1)`, [orders + 30_000])
  await client.query('drop schema aged cascade')
}

async function fillTable(client: Client, { table, sql }: Fill, copies: number): Promise<void> {
  const progress = showLoadProgress(process.stderr, copies, () => performance.now(), `copies in ${table}`)
  try {
    await withoutIndexes(client, table, async () => {
      for (let first = 1; first <= copies; first += BLOCK) {
        await client.query(sql, [first, Math.min(copies, first + BLOCK - 1)])
        progress.reached(Math.min(copies, first + BLOCK - 1))
      }
    })
  } finally {
    progress.end()
  }
}

/** Adds many rows, and creates the indexes after them: that is faster than adding to them row by row. */
export async function withoutIndexes(client: Client, table: string, add: () => Promise<unknown>): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES, [table])
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await add()
  for (const { definition } of indexes) await client.query(definition)
}

/** The indexes of a table that are not part of a constraint. */
const INDEXES = `
  select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
