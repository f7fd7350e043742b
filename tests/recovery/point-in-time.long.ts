import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order, type Cart, type Product } from '@storefront/contracts'
import {
  createFakeStripe,
  findArchivePrograms,
  makePostgresArchive,
  packageCache,
  temporaryFolder,
  waitFor,
  type ArchivedPostgres,
  type FakeStripe,
  type PostgresArchive,
} from '@storefront/tools/testing'
import { printSkipped } from '../support/print-skipped.ts'
import { queryAt } from '../support/query-at.ts'
import { runProgram } from '../support/run-program.ts'
import { expectShopBalanced } from '../support/shop-balance.ts'
import { openShop, type TestShop } from '../support/shop.ts'
import { openBucket } from './open-bucket.ts'
import { StripeBuyers } from './stripe-buyers.ts'

const UNITS = 1000
const BUYERS_AT_ONCE = 3
const ORDERS_BEFORE = 20
/** PostgreSQL writes a sequence ahead by 32 numbers, so that fewer would hide numbers that are given out twice. */
const ORDERS_AFTER = 45

const programs = await findArchivePrograms()
const TOOLS = { recovery: 'tools/src/recovery/recovery-main.ts', events: 'tools/src/events/main.ts' }

let archive: PostgresArchive
let bucket: Awaited<ReturnType<typeof openBucket>>
let stripe: FakeStripe
let dataDir: string
let product: Product
let shop: TestShop
let server: ArchivedPostgres
let buyers: StripeBuyers
let moment: Date
/** A cart that is filled and not checked out at the moment. */
let waitingCart: Cart
/** Event ids that were published until the loss of the server. */
let eventsBefore: string[]

beforeAll(async () => {
  if ('fault' in programs) return
  bucket = await openBucket()
  ;[stripe, dataDir] = await Promise.all([createFakeStripe(), temporaryFolder('storefront-recovery')])
  // Packages that were downloaded for other tests are not downloaded again.
  await symlink(packageCache(), join(dataDir, 'packages'))
  archive = makePostgresArchive(programs, bucket)
  server = await archive.start()
  shop = await open()
  const checkout = { mode: 'redirect', provider: 'stripe' }
  expect((await shop.admin.call('PATCH', '/admin/storefront', { checkout })).status).toBe(200)
  product = await shop.stockProduct('restored', UNITS)
})

afterAll(async () => {
  if ('fault' in programs) return
  // A test that fails may have stopped it already.
  await shop.stop().catch(() => {})
  await server.lose()
  archive.remove()
  await Promise.all([bucket.stop(), stripe.stop(), rm(dataDir, { recursive: true, force: true })])
})

const variantId = () => product.variants[0]?.id ?? ''

const open = () =>
  openShop({
    ownServers: true,
    dataDir,
    env: {
      DATABASE_URL: server.url,
      UNPAID_STOCK_PERCENT: '100',
      RATE_LIMIT_WEBHOOKS: '0',
      STRIPE_BASE_URL: stripe.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    },
  })

const sqlOf = <Row>(text: string): Promise<Row[]> => queryAt<Row>(new URL('/shop', server.url).href, text)

const eventIds = async (): Promise<string[]> =>
  (
    await sqlOf<{ id: string }>(
      ['catalog', 'cart', 'orders', 'identity', 'notifier']
        .map((schema) => `select event_id as id from ${schema}.sent_events union select event_id from ${schema}.outbox`)
        .join(' union '),
    )
  ).map(({ id }) => id)

/** Runs a tool as an operator does. @returns its output and its exit code */
async function run(tool: keyof typeof TOOLS, args: string[], more: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_BASE_URL: stripe.url,
    ...more,
  }
  const program = ['--disable-warning=ExperimentalWarning', TOOLS[tool]]
  const { code, stdout, stderr } = await runProgram([...program, ...args], env)
  return { code, output: stderr + stdout }
}

/** Waits until the bucket has everything that was written so far. */
async function untilArchived(): Promise<void> {
  const [written] = await sqlOf<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
  await waitFor(
    'the write-ahead log in the bucket',
    async () => {
      const [archived] = await sqlOf<{ last: string | null }>('select last_archived_wal as last from pg_stat_archiver')
      return (archived?.last ?? '') >= (written?.file ?? '')
    },
    120_000,
  )
}

const numberOf = ({ number }: Pick<Order, 'number'>) => Number(/\d+$/.exec(number)?.[0])

/** Buyers at work; a moment in the middle; and the loss of the server with its disk. */
async function sellAndLose(): Promise<void> {
  const client = shop.client()
  waitingCart = await client.cartWith(variantId(), 3)
  buyers = new StripeBuyers({ shop, stripe, variantId: variantId(), atOnce: BUYERS_AT_ONCE })
  const late = await Promise.all([buyers.openPage(), buyers.openPage(), buyers.openPage()])
  await buyers.buy(ORDERS_BEFORE)
  moment = new Date()
  // These pages were opened before the moment, and are paid after it; the shop acknowledges the webhooks.
  for (const page of late) await buyers.pay(page)
  await buyers.buy(ORDERS_AFTER)
  await buyers.stop()
  await untilArchived()
  eventsBefore = await eventIds()
  await server.lose()
  await shop.stop()
}

test.skipIf('fault' in programs)(
  'a shop is restored to a moment in the middle of load, and every payment is settled',
  async () => {
    await sellAndLose()
    const acknowledged = buyers.bought.filter(({ at }) => at < moment)
    const later = buyers.bought.filter(({ at }) => at >= moment)
    expect(acknowledged.length).toBeGreaterThanOrEqual(ORDERS_BEFORE)
    expect(later.length).toBeGreaterThanOrEqual(ORDERS_AFTER)

    server = await archive.restoreTo(moment)
    const restoredEvents = new Set(await eventIds())
    const [sequence] = await sqlOf<{ last: string }>('select last_value::text as last from orders.order_numbers')
    const highest = Math.max(...buyers.bought.map(({ order }) => numberOf(order)))
    // Without the step that follows, these numbers would be given out again.
    expect(Number(sequence?.last)).toBeLessThan(highest)
    const continued = await run('recovery', ['continue', '--moment', moment.toISOString(), '--last-invoice', '47'])
    expect(continued).toMatchObject({ code: 0, output: expect.stringContaining('Order numbers continue at') })
    expect(continued.output).toContain('The next invoice is number 48.')
    expect(await sqlOf('select last_number::int as last from orders.invoice_counter')).toEqual([{ last: 47 }])

    shop = await open()
    for (const { order } of acknowledged) {
      const restored = Order.parse((await shop.admin.get(`/admin/orders/${order.id}`)).body)
      expect(restored).toMatchObject({ number: order.number, status: 'paid', total: order.total })
    }
    const [cart] = await shop.sql<{ units: number }>(
      `select sum((line->>'quantity')::int)::int as units from cart.carts, jsonb_array_elements(lines) as line where id = $1`,
      [waitingCart.id],
    )
    expect(cart?.units).toBe(3)
    const { redis, nats } = shop.shop.infrastructure
    const addresses = { REDIS_URL: redis.url, NATS_URL: nats.url }
    const again = await run('recovery', ['continue', '--moment', moment.toISOString()], addresses)
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('The shop is running') })

    await settle()
    await sellAgain(highest, restoredEvents)
    await expectShopBalanced(shop, new Map([[variantId(), UNITS]]), { timeoutMs: 180_000 })
    report({ acknowledged: acknowledged.length, later: later.length })
  },
)

if ('fault' in programs) printSkipped('the restore to a moment', programs.fault)

/** Finds payments that Stripe has and the restored shop lacks, and settles each by an order or by a refund. */
async function settle(): Promise<void> {
  const about = ['payments', '--moment', moment.toISOString()]
  const listed = await run('recovery', about)
  expect(listed.code).toBe(1)
  expect(listed.output).toContain('lost: refund it, or place its order')
  expect(listed.output).toContain('the shop finds it when its checkout ends')
  expect((await run('recovery', [...about, '--refund-all'])).code).toBe(0)
  // The checkouts in the restored database end now, and not in an hour.
  await shop.sql(
    `update orders.payment_sessions set expires_at = now() - interval '20 minutes' where status <> 'completed'`,
  )
  const settled = await waitFor(
    'the payments of known checkouts',
    async () => {
      // A page that was being opened at the moment is looked up by the reconciliation.
      await shop.admin.post('/admin/reconciliation', { settledAfterSeconds: 0 })
      const { code, output } = await run('recovery', about)
      return code === 0 && !output.includes('when its checkout ends') ? output : undefined
    },
    180_000,
  )
  expect(settled).not.toContain('lost: refund it')
  // A checkout that at the moment had reserved its goods and had no page yet left a hold, which ends now, and not in an
  // hour.
  await shop.sql(`
    update catalog.reservations r set expires_at = now()
    where status = 'held'
      and not exists (select from orders.payment_sessions s where s.claim = r.id || '.' || r.generation)`)

  const recorded = new Set(
    (await shop.sql<{ reference: string }>(`select reference from orders.payments where status = 'captured'`)).map(
      ({ reference }) => reference,
    ),
  )
  const returned = new Set([...stripe.refunds.values()].map((refund) => refund.payment_intent))
  const paid = [...stripe.intents.keys()]
  expect(
    paid.filter((id) => recorded.has(id) === returned.has(id)),
    'payments with both or neither',
  ).toEqual([])
  // Every order that was paid before the moment has kept its payment.
  expect(paid.filter((id) => recorded.has(id)).length).toBeGreaterThanOrEqual(ORDERS_BEFORE)
  expect(returned.size).toBeGreaterThan(0)
}

/** New orders have new numbers and new events, and every consumer gets them. */
async function sellAgain(highest: number, restoredEvents: ReadonlySet<string>): Promise<void> {
  const again = new StripeBuyers({ shop, stripe, variantId: variantId(), atOnce: 2 })
  await again.buy(5)
  await again.stop()
  for (const { order } of again.bought) expect(numberOf(order)).toBeGreaterThan(highest)
  const known = new Set(eventsBefore)
  const reused = (await eventIds()).filter((id) => known.has(id) && !restoredEvents.has(id))
  expect(reused, 'ids of lost events that new events have').toEqual([])
  const { nats } = shop.shop.infrastructure
  await waitFor(
    'every receipt',
    async () => {
      const { output } = await run('events', ['recover', '--dry-run'], { NATS_URL: nats.url })
      return output === 'Every consumer has a receipt of every event.\n'
    },
    120_000,
  )
}

function report(orders: { acknowledged: number; later: number }): void {
  const line = `${orders.acknowledged} orders acknowledged before the moment, ${orders.later} after it, ${stripe.refunds.size} payments refunded`
  process.stdout.write(`\n  ${line}; restored in ${server.seconds.toFixed(1)} s\n\n`)
}
