import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapeLiteral, Pool, type Client } from 'pg'
import { migrateSchema } from '@storefront/postgres'
import { startPostgres, type RunningServer } from '@storefront/tools/infrastructure'
import { withClient } from '@storefront/tools/with-client'
import { withoutIndexes } from './age-shop.ts'
import { ORDER_SUMS } from './aged-orders.ts'
import { NUMBER_STEP, serverInSql } from './merged-orders.ts'
import { makeDataFolder } from './open-shop.ts'
import { inShopDatabase, shopDatabaseUrl } from './shop-database.ts'
import { vacuumDatabase } from './vacuum-database.ts'

/** A PostgreSQL server with the schemas of orders and cart. */
export interface OrderServer {
  server: RunningServer
  pool: Pool
  /** Stops it and deletes its data. */
  remove: () => Promise<void>
}

/** As the migrate step sets them for the roles of the services. */
const ROLE_SETTINGS =
  '-c search_path=orders,public -c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0'
/** For all servers of a layout together: a shop that is split on one machine has no more memory than before. */
const SHARED_BUFFERS_MB = 512
const ROWS_FETCHED = 5000
const TABLES_OF_AN_ORDER =
  'order_timeline,ordered_lines,order_capabilities,fulfilments,payments,refunds,order_search'.split(',')

/** @param servers how many there are, which share the memory */
export async function openOrderServer(servers: number): Promise<OrderServer> {
  const folder = await makeDataFolder()
  const server = await startPostgres({
    dataDir: folder.path,
    env: {},
    print: () => {},
    cacheDir: join(tmpdir(), 'storefront-packages'),
    settings: { shared_buffers: `${Math.floor(SHARED_BUFFERS_MB / servers)}MB`, max_prepared_transactions: '10' },
  })
  const adminUrl = shopDatabaseUrl(server.url)
  const pool = new Pool({ connectionString: adminUrl, max: 16, options: ROLE_SETTINGS })
  // Servers are killed on purpose; the next query fails with the reason.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const remove = async () => {
    await pool.end()
    await server.stop()
    await folder.remove()
  }
  try {
    if (server.pid === undefined) throw new Error('Containers cannot reach each other at 127.0.0.1: stop Docker first.')
    await withClient({ connectionString: server.url }, (client) => client.query('create database shop'))
    for (const schema of ['orders', 'cart']) {
      const directory = fileURLToPath(new URL(`../../services/${schema}/migrations`, import.meta.url))
      await migrateSchema({ adminUrl, schema, role: `shop_${schema}`, rolePassword: 'unused', directory })
    }
    return { server, pool, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

export function serverAt(servers: readonly OrderServer[], place: number): OrderServer {
  const server = servers[place]
  if (server === undefined) throw new Error(`there is no server ${place}`)
  return server
}

/** Lets a database use the tables of another one through `postgres_fdw`. */
export async function addForeignServer(client: Client, name: string, address: string, options = ''): Promise<void> {
  const { hostname, port, pathname, username, password } = new URL(address)
  await client.query('create extension if not exists postgres_fdw')
  await client.query(`create server ${name} foreign data wrapper postgres_fdw
    options (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}'${options})`)
  await client.query(`create user mapping for current_user server ${name}
    options (user '${username}', password ${escapeLiteral(decodeURIComponent(password))})`)
}

/** Copies one server's part of the carts and orders of a whole shop. */
export async function fillServer(
  { server }: OrderServer,
  shopUrl: string,
  { place, servers, firstNumber }: { place: number; servers: number; firstNumber: number },
): Promise<void> {
  const here = (cartId: string) => `${serverInSql(cartId, servers)} = ${place}`
  const ofOrders = (column: string) => `(select ${column} from shop_orders.orders where ${here('cart_id')})`
  const tables = [
    { table: 'orders.orders', condition: here('cart_id') },
    { table: 'orders.claims', condition: `claim in ${ofOrders('claim')}` },
    ...TABLES_OF_AN_ORDER.map((name) => ({ table: `orders.${name}`, condition: `order_id in ${ofOrders('id')}` })),
    { table: 'cart.carts', condition: here('id') },
  ]
  await inShopDatabase(server.url, async (client) => {
    // Triggers would queue each row for the services.
    for (const setting of ['session_replication_role = replica', 'synchronous_commit = off', 'jit = off'])
      await client.query(`set ${setting}`)
    await addForeignServer(client, 'shop', shopUrl, `, fetch_size '${ROWS_FETCHED}'`)
    for (const schema of ['orders', 'cart']) {
      await client.query(`create schema shop_${schema}`)
      await client.query(`import foreign schema ${schema} from server shop into shop_${schema}`)
    }
    for (const { table, condition } of tables)
      await withoutIndexes(client, table, () =>
        client.query(`insert into ${table} overriding system value select * from shop_${table} where ${condition}`),
      )
    await continueIdentities(client)
    for (const sum of ORDER_SUMS.filter((statement) => statement.includes('order_count'))) await client.query(sum)
    await client.query(
      `alter sequence orders.order_numbers increment by ${NUMBER_STEP} restart with ${firstNumber + place}`,
    )
    await client.query('drop schema shop_orders, shop_cart cascade')
    await client.query('drop server shop cascade')
  })
  await vacuumDatabase(server.url)
}

/** The rows came with their numbers: new ones continue above the highest. */
async function continueIdentities(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select format('%I.%I', table_schema, table_name) as "table", column_name as "column"
     from information_schema.columns where is_identity = 'YES' and table_schema in ('orders', 'cart')`,
  )
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) from ${table}`,
    )
}
