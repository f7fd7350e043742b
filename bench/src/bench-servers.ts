import { newId } from '@storefront/contracts'
import { ageShop, type History } from './age-shop.ts'
import { tryForeignPartitions } from './foreign-partitions.ts'
import { openGround } from './ground.ts'
import { describeMachine } from './machine.ts'
import { keepBusyWithoutFailure, measureOneByOne, shownTimes } from './measure.ts'
import { furthestBehind, NUMBER_STEP, serverOf, serverOfNumber } from './merged-orders.ts'
import { findByNumber, firstPage, readsOf, readSubject, reconcile, type Subject } from './order-reads.ts'
import { fillServer, openOrderServer, serverAt, type OrderServer } from './order-servers.ts'
import { placePurchase, type Sample } from './place-purchase.ts'
import { shopDatabaseUrl } from './shop-database.ts'
import { markdownTable } from './table.ts'

const CALLERS = 16
const PURCHASES_OF_A_CALLER = 25
const READS = 100
const RECONCILIATIONS = 5

interface ServersBench extends History {
  servers: number
  seconds: number
}

/** What is the same for any number of servers. */
interface Shop {
  subject: Subject
  sample: Sample
  firstNumber: number
  seconds: number
}

/**
 * Divides the orders and carts of one shop over several PostgreSQL servers, by cart, and measures them beside one
 * server. No service can do this yet: its statements are executed here, and their results are merged.
 */
export async function benchServers({ servers: most, seconds, ...history }: ServersBench): Promise<void> {
  if (!Number.isInteger(most) || most < 1 || most > NUMBER_STEP)
    throw new Error(`--servers takes a number from 1 to ${NUMBER_STEP}`)
  const counts = [...[1, 2, 4, 8].filter((count) => count < most), most]
  // Above all numbers of the history.
  const firstNumber = NUMBER_STEP * Math.ceil((history.orders + 40_000) / NUMBER_STEP)
  const columns: Map<string, string>[] = []
  const found = new Map<string, string>()
  let shop: Shop | undefined
  let foreign: string[][] = []
  const opened = await openGround({ edgeCache: false })
  try {
    await ageShop(opened.ground.shop, history)
    const shopUrl = shopDatabaseUrl(opened.ground.shop.databaseAdminUrl)
    for (const count of counts) {
      const servers: OrderServer[] = []
      try {
        while (servers.length < count) servers.push(await openOrderServer(count))
        for (const [place, server] of servers.entries())
          await fillServer(server, shopUrl, { place, servers: count, firstNumber })
        // The first one has the whole shop.
        shop ??= { ...(await readShop(serverAt(servers, 0))), firstNumber, seconds }
        columns.push(await measureServers(servers, shop, found))
        if (count === most && count > 1) foreign = await tryForeignPartitions(servers, shop)
      } finally {
        for (const { remove } of servers) await remove()
      }
    }
  } finally {
    await opened.close()
  }
  console.log(describeMachine())
  console.log(`${history.orders.toLocaleString('en-US')} orders; times in ms, p50 / p99.\n`)
  console.log(tableOf(columns, counts))
  if (foreign.length > 0) console.log(`\n${markdownTable(['postgres_fdw', `${most} servers behind one`], foreign)}`)
}

async function readShop(whole: OrderServer): Promise<Pick<Shop, 'subject' | 'sample'>> {
  const subject = await readSubject(whole)
  const { rows } = await whole.pool.query<Sample>('select email, document from orders where id = $1', [
    subject.middle.id,
  ])
  const [sample] = rows
  if (sample === undefined) throw new Error('the shop has no orders')
  return { subject, sample }
}

/** @param found what fewer servers have found, and these must find as well */
async function measureServers(
  servers: readonly OrderServer[],
  shop: Shop,
  found: Map<string, string>,
): Promise<Map<string, string>> {
  const { subject } = shop
  const figures = new Map<string, string>()
  const orders = await Promise.all(servers.map(countOrders))
  if (orders.reduce((sum, count) => sum + count, 0) !== subject.orders) throw new Error('orders are missing')
  figures.set('orders', `${Math.min(...orders)} to ${Math.max(...orders)}`)
  // The reconciliation must find this.
  for (const { pool } of servers) await pool.query('delete from payments where order_id = $1', [subject.paidOrderId])
  for (const [name, read] of readsOf(subject)) {
    const ids = JSON.stringify(await read(servers))
    if (ids !== (found.get(name) ?? ids)) throw new Error(`${name}: ${servers.length} servers have other orders`)
    found.set(name, ids)
    const times = await measureOneByOne(read === reconcile ? RECONCILIATIONS : READS, () => read(servers))
    figures.set(name, shownTimes(times))
    console.error(`${servers.length} servers, ${name}: ${shownTimes(times)} ms`)
  }
  figures.set('its findings, of one payment that was deleted', String((await reconcile(servers)).length))
  await measurePurchases(servers, shop, figures)
  if (servers.length > 1) await measureLoss(servers, shop, figures)
  return figures
}

async function countOrders({ pool }: OrderServer): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from orders')
  return rows[0]?.count ?? 0
}

async function measurePurchases(
  servers: readonly OrderServer[],
  { sample, firstNumber, seconds }: Shop,
  figures: Map<string, string>,
): Promise<void> {
  const numbers: number[] = []
  const sold = await keepBusyWithoutFailure(CALLERS, seconds, async () => {
    numbers.push(await placePurchase(servers, newId('cart'), sample))
  })
  figures.set(`purchases a second, ${CALLERS} callers`, sold.perSecond.toFixed(0))
  figures.set('a purchase', shownTimes(sold))
  figures.set('numbers given out twice', String(numbers.length - new Set(numbers).size))
  figures.set('furthest behind a number given out before', String(furthestBehind(numbers)))
  let turn = 0
  const times = await measureOneByOne(READS, async () => {
    const number = numbers[turn++ % numbers.length] ?? 0
    const found = await findByNumber([serverAt(servers, serverOfNumber(number, firstNumber) ?? -1)], `SF-${number}`)
    if (found.length !== 1) throw new Error(`the order SF-${number} is not on the server that its number names`)
  })
  figures.set('an order by its new number', shownTimes(times))
}

/** Kills the last server, and starts it again. */
async function measureLoss(
  servers: readonly OrderServer[],
  { sample }: Shop,
  figures: Map<string, string>,
): Promise<void> {
  const lost = servers.length - 1
  const { server } = serverAt(servers, lost)
  await server.kill()
  let placed = 0
  let slowestMs = 0
  const buy = async () => {
    for (let turn = 0; turn < PURCHASES_OF_A_CALLER; turn++) {
      const cartId = newId('cart')
      const begunMs = performance.now()
      try {
        await placePurchase(servers, cartId, sample)
        placed++
      } catch (error) {
        if (serverOf(cartId, servers.length) !== lost) throw error
        slowestMs = Math.max(slowestMs, performance.now() - begunMs)
      }
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, buy))
  figures.set('one server lost: purchases placed', `${placed} of ${CALLERS * PURCHASES_OF_A_CALLER}`)
  figures.set('slowest error of the others', slowestMs.toFixed(1))
  const whole = await firstPage(servers).then(
    () => 'complete',
    (error: unknown) => String(Object(error).code),
  )
  figures.set('first page of all', whole)
  const others = servers.slice(0, lost)
  figures.set('first page of the others', shownTimes(await measureOneByOne(READS, () => firstPage(others))))
  await server.start()
  figures.set('orders on the first page after its return', String((await firstPage(servers)).length))
}

function tableOf(columns: readonly Map<string, string>[], counts: readonly number[]): string {
  const names = new Set(columns.flatMap((column) => [...column.keys()]))
  return markdownTable(
    ['', ...counts.map((count) => (count === 1 ? '1 server' : `${count} servers`))],
    [...names].map((name) => [name, ...columns.map((column) => column.get(name) ?? '')]),
  )
}
