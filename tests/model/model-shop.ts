import { randomBytes } from 'node:crypto'
import { Cart } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import type { openShop, TestShop } from '../support/shop.ts'
import type { TestClient } from '../support/test-client.ts'
import { BUYERS } from './actions.ts'
import { FAULTS, type Fault } from './faults.ts'
import { Figures } from './figures.ts'
import { INDEXES } from './ledger.queries.ts'
import type { Goods } from './invariants.ts'
import type { RunContext } from './perform.ts'
import type { Mode } from './seed.ts'

/** Few shirts, so that buyers compete for them. */
const SHIRTS = 4
const SOCKS = 40
/** The number of runs for which goods are created at a time. */
const BATCH = 40

export interface ModelShop {
  shop: TestShop
  figures: Figures
  /** Sets the checkout mode of the shop. */
  setMode: (mode: Mode) => Promise<void>
  /** Calls `work` for one run, with a group of buyers that no other run uses, their carts empty, and with new goods. */
  withBuyers: <Result>(work: (context: RunContext, emails: readonly string[]) => Promise<Result>) => Promise<Result>
  /** How many runs can be concurrent. */
  maxConcurrentRuns: number
  /** The units that each variant of a successful run must have, sold or left. They are checked again at the end. */
  expectedUnits: Map<string, number>
  stop: () => Promise<void>
}

interface BuyerGroup {
  emails: string[]
  homes: TestClient[]
}

/**
 * A shop with random delays in its transactions, and a group of buyers for each concurrent run.
 * @param open `openShop` for a short run; a long one has all processors, and uses `openShopOfProcesses`
 */
export async function openModelShop(open: typeof openShop, runsAtOnce: number, fault?: Fault): Promise<ModelShop> {
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const shop = await open({ env: { DEMO_WEBHOOK_SECRET: webhookSecret, LOG_LEVEL: 'warn' } })
  for (const statement of [...INDEXES, ...PAUSES]) await shop.sql(statement)
  for (const statement of fault === undefined ? [] : FAULTS[fault].statements) await shop.sql(statement)
  const figures = new Figures()
  const free: BuyerGroup[] = []
  for (let number = 0; number < runsAtOnce; number++) free.push(await makeBuyerGroup(shop, number))
  const stored: Goods[] = []
  let batches = 0
  let runs = 0
  let making: Promise<void> | undefined

  async function takeGoods(): Promise<Goods> {
    while (stored.length === 0) {
      making ??= makeGoods(shop, batches++)
        .then((made) => void stored.push(...made))
        .finally(() => (making = undefined))
      await making
    }
    return stored.pop() ?? takeGoods()
  }

  return {
    shop,
    figures,
    maxConcurrentRuns: runsAtOnce,
    expectedUnits: new Map(),
    async setMode(mode) {
      const checkout = mode === 'redirect' ? { mode, provider: 'demo' } : { mode }
      const { status, body } = await shop.admin.call('PATCH', '/admin/storefront', { checkout })
      if (status !== 200) throw new Error(`the mode of the checkout was not changed: ${JSON.stringify(body)}`)
    },
    async withBuyers(work) {
      const group = await waitFor('a free group of buyers', () => free.pop())
      try {
        await Promise.all(group.homes.map(emptyCart))
        const browsers = group.homes.map((home) => {
          const [guest, phone] = [shop.client(), shop.client()]
          phone.token = home.token
          return { home, guest, phone }
        })
        const context = {
          shop,
          name: `run-${runs++}`,
          goods: await takeGoods(),
          browsers,
          webhookSecret,
          figures,
          wasUnavailable: false,
        }
        return await work(context, group.emails)
      } finally {
        free.push(group)
      }
    },
    stop: () => shop.stop(),
  }
}

async function makeBuyerGroup(shop: TestShop, number: number): Promise<BuyerGroup> {
  const emails = Array.from({ length: BUYERS }, (_none, buyer) => `buyer-${number}-${buyer}@example.com`)
  const homes = await Promise.all(
    emails.map(async (email) => {
      const home = shop.client()
      await home.register(email)
      return home
    }),
  )
  return { emails, homes }
}

/** Empties the cart of a customer, because it stays open after a run. */
async function emptyCart(client: TestClient): Promise<void> {
  const cart = Cart.parse((await client.post('/carts', {})).body)
  if (cart.lines.length > 0) await client.call('DELETE', `/carts/${cart.id}/lines`)
  if (cart.discountCode) await client.post(`/carts/${cart.id}/discount`, { code: '' })
}

async function makeGoods(shop: TestShop, batch: number): Promise<Goods[]> {
  const numbers = Array.from({ length: BATCH }, (_none, index) => `${batch}-${index}`)
  const product = (slug: string, inventory: number) => ({
    slug,
    title: slug,
    price: { amount: 4000, currency: 'USD' },
    variants: [{ sku: slug, options: {}, inventory }],
  })
  const reply = await shop.admin.post('/admin/import', {
    mode: 'merge',
    products: numbers.flatMap((number) => [product(`shirt-${number}`, SHIRTS), product(`socks-${number}`, SOCKS)]),
    discounts: numbers.flatMap((number) => [
      { code: `ONCE-${number}`, kind: 'fixed', value: 500, usageLimit: 1 },
      { code: `EACH-${number}`, kind: 'fixed', value: 300, perCustomerLimit: 1 },
    ]),
  })
  if (reply.status !== 200) throw new Error(`the goods were not imported: ${JSON.stringify(reply.body)}`)
  const rows = await shop.sql<{ sku: string; id: string }>(
    `select sku, id from catalog.variants where sku like any($1::text[])`,
    [[`shirt-${batch}-%`, `socks-${batch}-%`]],
  )
  const ids = new Map(rows.map(({ sku, id }) => [sku, id]))
  await waitFor('the discounts of the import', async () => {
    const [row] = await shop.sql<{ count: number }>(
      `select count(*)::int as count from cart.discounts where code like $1`,
      [`%-${batch}-%`],
    )
    return row?.count === 2 * BATCH
  })
  return numbers.map((number) => ({
    variants: { shirt: ids.get(`shirt-${number}`) ?? '', socks: ids.get(`socks-${number}`) ?? '' },
    units: { shirt: SHIRTS, socks: SOCKS },
    codes: { once: `ONCE-${number}`, each: `EACH-${number}` },
  }))
}

/**
 * Some transactions of the test database wait for a moment where the services leave a gap between two of them. On an
 * idle machine these gaps are a millisecond; these pauses make them as long as on a busy machine.
 */
const PAUSES = [
  `create function public.model_pause() returns trigger language plpgsql as $$
   begin
     if random() < 0.2 then perform pg_sleep(random() * 0.04); end if;
     return new;
   end $$`,
  ...['orders.orders', 'orders.payment_sessions', 'orders.refunds', 'catalog.reservations'].map(
    (table) =>
      `create trigger model_pause before insert on ${table} for each row execute function public.model_pause()`,
  ),
  ...['orders.orders', 'cart.carts'].map(
    (table) =>
      `create trigger model_pause_update before update on ${table} for each row execute function public.model_pause()`,
  ),
]
