import { replyTo, sendRequest, type Messaging } from '@storefront/messaging'
import {
  BuyerDraftOrder,
  CustomerDeleted,
  CustomerVerified,
  PERMISSIONS,
  ReadAlertsOfAddress,
  ReadOrdersPersonalData,
} from '@storefront/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { closeFormerAccounts } from '../src/customers/close-former-accounts.ts'
import { draftShop } from './draft-shop.ts'
import { publisher } from './events.ts'
import { BUYER, createShop, orderOf, type Shop } from './shop.ts'

const MINUTE_MS = 60_000
const NOTE = 'Never pays at once.'

let shop: Shop
let identity: Messaging
let drafts: ReturnType<typeof draftShop>

beforeAll(async () => {
  shop = await createShop()
  drafts = draftShop(shop, owner())
  const { suite } = shop
  identity = await suite.openMessaging('identity')
  const catalog = { messaging: shop.catalog, log: suite.log, verifyActor: () => undefined }
  replyTo(catalog, ReadAlertsOfAddress, async () => ({ alerts: [] }))
  await Promise.all([identity.opened, shop.catalog.connection().flush()])
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.stock.set('var_m', 100)
})

const owner = () => shop.suite.headers.adminUser('user_owner', [...PERMISSIONS])
/** An hour ago plus this number of minutes, so that no event or draft of a test is in the future. */
const minute = (minutes: number) => new Date(Date.now() - 60 * MINUTE_MS + minutes * MINUTE_MS)

const publishEvent = publisher(() => ({ shop, identity }))
const verified = (customerId: string, email: string, at: number) =>
  publishEvent(CustomerVerified, { customerId, email }, minute(at))
const deleted = (customerId: string, at: number) => publishEvent(CustomerDeleted, { customerId }, minute(at))

/** A draft for an address, made and changed at these minutes. */
async function make(email: string, at: number, changedAt = at): Promise<string> {
  const { id } = await drafts.create({ email, note: NOTE })
  const times = [minute(at), minute(changedAt)]
  await shop.suite.sql('update orders.draft_orders set created_at = $2, updated_at = $3 where id = $1', [id, ...times])
  return id
}

async function exported(customerId: string): Promise<BuyerDraftOrder[]> {
  const found: BuyerDraftOrder[] = []
  let after: string | undefined
  do {
    const request = { customerId, ...(after === undefined ? {} : { after }) }
    const { records, next } = await sendRequest(identity, ReadOrdersPersonalData, request)
    expect(JSON.stringify(records)).not.toMatch(/user_owner|Never pays/)
    const ofDrafts = records.filter(({ kind }) => kind === 'draft-order')
    found.push(...ofDrafts.map(({ record }) => z.strictObject(BuyerDraftOrder.shape).parse(record)))
    after = next
  } while (after !== undefined)
  return found
}
const idsOf = async (customerId: string) => (await exported(customerId)).map(({ id }) => id)

const remaining = async (ids: readonly string[]) => {
  const rows = await shop.suite.sql<{ id: string }>('select id from orders.draft_orders where id = any($1)', [ids])
  return ids.filter((id) => rows.some((row) => row.id === id))
}

describe('the data of orders about a customer', () => {
  test('have the draft orders for the verified address, without what the shop wrote, and none of others', async () => {
    const open = await make('Ada@mail.example', 1)
    const { draft, path } = await drafts.sent({ email: 'ada@mail.example', note: NOTE })
    await drafts.pay(path)
    await make('eve@mail.example', 1)
    expect(await exported('cus_ada')).toEqual([])
    await verified('cus_ada', 'ADA@mail.example', 2)
    const [order] = await drafts.ordersOf(draft.id)
    expect(await exported('cus_ada')).toMatchObject([
      { id: open, status: 'open', email: 'Ada@mail.example', shippingAddress: { line1: '1 Way' } },
      { id: draft.id, status: 'ordered', order: { id: order?.id }, quote: { lines: [{ quantity: 2 }] } },
    ])
  })

  test('have each of many draft orders once, after all orders', async () => {
    const cart = shop.addCart({ var_m: 1 }, { customerId: 'cus_many' })
    const { id: order } = orderOf(await shop.checkOut(cart.id, BUYER, shop.suite.headers.customer('cus_many')))
    const id = await make('many@mail.example', 1)
    await verified('cus_many', 'many@mail.example', 2)
    await shop.suite.sql(
      `insert into orders.draft_orders (id, status, email, email_canonical, shipping_address, shipping_method,
         discount_code, note, lines, quote, created_by, created_at, updated_at)
       select id || '_' || n, status, email, email_canonical, shipping_address, shipping_method, discount_code, note,
         lines, quote, created_by, created_at + n % 7 * interval '1 ms', updated_at
       from orders.draft_orders, generate_series(1, 120) as n where id = $1`,
      [id],
    )
    const first = await sendRequest(identity, ReadOrdersPersonalData, { customerId: 'cus_many' })
    expect(first.records[0]).toMatchObject({ kind: 'order', record: { id: order } })
    const ids = await idsOf('cus_many')
    expect(ids).toHaveLength(121)
    expect(new Set(ids).size).toBe(121)
  })

  test('have no draft order that was made or changed after the customer left the address', async () => {
    const email = 'left@mail.example'
    const [mine, changed] = [await make(email, 5), await make(email, 6, 25)]
    await verified('cus_mover', email, 10)
    await verified('cus_mover', 'next@mail.example', 20)
    const theirs = await make(email, 30)
    await verified('cus_heir', email, 40)
    expect(await idsOf('cus_mover')).toEqual([mine])
    expect(await idsOf('cus_heir')).toEqual([theirs])
    await deleted('cus_mover', 50)
    expect(await remaining([mine, changed, theirs])).toEqual([theirs])
    expect(await idsOf('cus_heir')).toEqual([theirs])
  })
})

describe('the deletion of an account', () => {
  test('deletes a draft order whose address is verified by a late event, and none that was made since', async () => {
    const email = 'late@mail.example'
    const [before, since] = [await make(email, 5), await make(email, 30)]
    await deleted('cus_late', 20)
    await verified('cus_late', email, 10)
    expect(await remaining([before, since])).toEqual([before, since])
    await closeFormerAccounts(shop.orders.context.db, minute(25))
    expect(await remaining([before, since])).toEqual([since])
  })
})

test('the export of a buyer without an account has the draft orders, without what the shop wrote', async () => {
  const email = 'guest@mail.example'
  const { draft, path } = await drafts.sent({ email, note: NOTE })
  await drafts.pay(path)
  const open = await make(email, 1)
  const buyers = z.object({ items: z.tuple([z.object({ id: z.string() })]) })
  const [buyer] = buyers.parse((await shop.call('GET', `/admin/buyers?q=${email}`, undefined, owner())).body).items
  const { status, body } = await shop.call('GET', `/admin/buyers/${buyer.id}/export`, undefined, owner())
  expect(status).toBe(200)
  const { draftOrders } = z.object({ draftOrders: z.array(z.strictObject(BuyerDraftOrder.shape)) }).parse(body)
  expect(draftOrders.map(({ id }) => id)).toEqual([open, draft.id])
  expect(JSON.stringify(body)).not.toMatch(/user_owner|Never pays/)
})
