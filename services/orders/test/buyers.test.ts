import {
  Buyer,
  BuyerErased,
  BuyerDetails,
  BuyerNote,
  CustomerDeleted,
  listOf,
  newId,
  PERMISSIONS,
  ReadAlertsOfAddress,
  type AlertRecord,
  type Order,
} from '@storefront/contracts'
import { replyTo, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { waitFor } from '@storefront/tools/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { addOrdersToBuyers, lockBuyers } from '../src/buyers/apply-buyer-changes.queries.ts'
import { applyBuyerChanges, applyNextBuyerChanges } from '../src/buyers/apply-buyer-changes.ts'
import { publisher } from './events.ts'
import { createSalesShop, type SalesShop } from './sales-shop.ts'
import { BUYER, cookie, errorOf, orderOf, usd } from './shop.ts'

const List = listOf(Buyer).extend({ page: z.int(), perPage: z.int(), nextCursor: z.string().optional() })

let shop: SalesShop
let identity: Messaging
let catalog: Messaging
/** What catalog replies, by address. */
const alerts = new Map<string, AlertRecord[]>()

beforeAll(async () => {
  shop = await createSalesShop()
  const { suite } = shop
  identity = await shop.suite.openMessaging('identity')
  catalog = await shop.suite.openMessaging('catalog')
  replyTo({ messaging: catalog, log: suite.log, verifyActor: () => undefined }, ReadAlertsOfAddress, ({ email }) =>
    Promise.resolve({ alerts: alerts.get(email) ?? [] }),
  )
  await catalog.connection().flush()
})

afterAll(() => shop.stop())

async function applyAll(db: Parameters<typeof applyNextBuyerChanges>[0]): Promise<void> {
  while (await applyNextBuyerChanges(db));
}

const owner = () => shop.suite.headers.adminUser('user_owner', [...PERMISSIONS])
const support = () => shop.suite.headers.adminUser('user_sue', ['orders:read', 'customers:read', 'customers:write'])

let people = 0
const newEmail = () => `buyer${++people}@people.example`

async function place(email: string, { customerId, name = 'Ada' }: { customerId?: string; name?: string } = {}) {
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'api', ...(customerId !== undefined && { customerId }) })
  const headers = customerId === undefined ? {} : shop.suite.headers.customer(customerId)
  const body = { ...BUYER, email, shipping_address: { ...BUYER.shipping_address, name } }
  return shop.checkOut(cart.id, body, headers)
}
const order = async (...of: Parameters<typeof place>): Promise<Order> => orderOf(await place(...of))
const pay = (id: string) => shop.payAt(id, '2031-01-01T12:00:00.000Z')

async function list(query: string) {
  await applyAll(shop.db)
  const { status, body } = await shop.call('GET', `/admin/buyers?${query}`, undefined, support())
  expect(status, JSON.stringify(body)).toBe(200)
  return List.parse(body)
}
async function only(email: string): Promise<Buyer> {
  const { items } = await list(`q=${email}`)
  expect(items.map((buyer) => buyer.email.toLowerCase())).toEqual([email])
  return Buyer.parse(items[0])
}
const show = async (id: string) =>
  BuyerDetails.parse((await shop.call('GET', `/admin/buyers/${id}`, undefined, support())).body)
const write = async (id: string, text: string, headers = support()) =>
  BuyerNote.parse((await shop.call('POST', `/admin/buyers/${id}/notes`, { text }, headers)).body)
const erase = (id: string, headers: object = owner()) => shop.call('DELETE', `/admin/buyers/${id}`, undefined, headers)
const audit = (id: string) =>
  shop.suite.sql('select actor, action, before, after from orders.audit_entries where subject_id = $1 order by id', [
    id,
  ])

const publishEvent = publisher(() => ({ shop, identity }))
/** Sends it twice under one id, as JetStream may. */
async function customerDeleted(customerId: string): Promise<void> {
  const [at, id] = [new Date(), newId('event')]
  await Promise.all([1, 2].map(() => publishEvent(CustomerDeleted, { customerId }, at, id)))
}

describe('a buyer', () => {
  test('has the orders of an address in any spelling, what was paid less what was refunded, and the latest name', async () => {
    const email = newEmail()
    const first = await order(email, { name: 'Ada Byron' })
    const second = await order(email.toUpperCase(), { name: 'Ada Lovelace' })
    await order(email, { name: 'Ada Lovelace' }).then(({ id }) => shop.cancel(id))
    expect(await only(email)).toMatchObject({ orders: 2, revenue: [usd(0)], name: 'Ada Lovelace' })
    await pay(first.id)
    await pay(second.id)
    await shop.refundAt(second.id, '2031-01-02T12:00:00.000Z', { reference: `re_${email}`, amount: usd(1000) })
    const buyer = await only(email)
    expect(buyer).toMatchObject({ orders: 2, revenue: [usd(2 * 4920 - 1000)] })
    expect(buyer).not.toHaveProperty('customerId')
    expect(buyer.firstOrderAt).toBe(first.placedAt)
    expect(buyer.lastOrderAt > second.placedAt).toBe(true)
  })

  test('who was refunded more than was paid has no revenue', async () => {
    const email = newEmail()
    const { id } = await order(email)
    await pay(id)
    for (const amount of [1000, 4920])
      await shop.refundAt(id, '2031-01-02T12:00:00.000Z', { reference: `re_${email}_${amount}`, amount: usd(amount) })
    expect(await only(email)).toMatchObject({ revenue: [usd(0)] })
  })

  test('with an account has its id, whatever was bought as a guest', async () => {
    const email = newEmail()
    await order(email)
    await order(email, { customerId: 'cus_people' })
    await order(email)
    const buyer = await only(email)
    expect(buyer).toMatchObject({ orders: 3, customerId: 'cus_people' })
    expect((await list('customer=cus_people')).items.map(({ id }) => id)).toEqual([buyer.id])
    expect((await list(`q=${email}&guests=true`)).items).toEqual([])
    expect((await list(`q=${email}&guests=false`)).items).toHaveLength(1)
    expect((await list(`q=${email}&guests=&customer=&tag=`)).items).toHaveLength(1)
  })

  test('is found by a part of the address or the name, and every character is literal', async () => {
    const email = newEmail()
    await order(email, { name: '100% Ünsal O_x' })
    for (const q of [email.slice(2), 'ünsal', 'ÜNSAL', '0% ü', 'o_x', 'o_']) {
      expect(
        (await list(`q=${encodeURIComponent(q)}`)).items.map((buyer) => buyer.email),
        q,
      ).toEqual([email])
    }
    expect((await list('q=o%25x')).items).toEqual([])
  })

  test('shows each address once, the latest first', async () => {
    const email = newEmail()
    for (const name of ['First', 'Second', 'First']) await order(email, { name })
    const { id } = await only(email)
    expect((await show(id)).addresses.map(({ name }) => name)).toEqual(['First', 'Second'])
  })
})

describe('the list of buyers', () => {
  test('is sorted by the latest order, the number of orders or the revenue, and continues at its cursor', async () => {
    const emails = [newEmail(), newEmail(), newEmail()]
    const [few = '', many = '', rich = ''] = emails
    await pay((await order(rich)).id)
    await pay((await order(rich)).id)
    for (let count = 0; count < 4; count++) await order(many)
    await order(few)
    const sorted = async (sort: string) => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await list(`per_page=2&sort=${sort}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
        found.push(...page.items.map(({ email }) => email))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(new Set(found).size).toBe(found.length)
      return found.filter((email) => emails.includes(email))
    }
    expect(await sorted('latest')).toEqual([few, many, rich])
    expect(await sorted('orders')).toEqual([many, rich, few])
    expect((await sorted('revenue'))[0]).toBe(rich)
    const { nextCursor = '' } = await list('per_page=1&sort=orders')
    const next = await list(`per_page=1&sort=orders&cursor=${nextCursor}`)
    expect(await list('per_page=1&sort=orders&page=2')).toEqual({ ...next, page: 2, perPage: 1 })
    const other = await shop.call('GET', `/admin/buyers?sort=revenue&cursor=${nextCursor}`, undefined, support())
    expect(errorOf(other)).toMatchObject({ status: 422, code: 'validation_failed' })
    // PostgreSQL has no year zero.
    const position = ['latest', '0000-01-01T00:00:00.000000Z', 'buyer_1']
    const yearZero = Buffer.from(JSON.stringify(position)).toString('base64url')
    const never = await shop.call('GET', `/admin/buyers?cursor=${yearZero}`, undefined, support())
    expect(errorOf(never)).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  test('counts each order once when several replicas count at the same time, and when all are queued again', async () => {
    const email = newEmail()
    const { id } = await order(email)
    await pay(id)
    await shop.suite.sql(
      `insert into orders.orders (id, number, cart_id, email, status, placed_at, document, payment_provider, payment_status,
         captured_minor)
       select id || '-' || each, number || '-' || each, cart_id || each, email, status, placed_at, document,
         payment_provider, payment_status, captured_minor
       from orders.orders, generate_series(1, 1200) as each where id = $1`,
      [id],
    )
    const count = async () => {
      const replicas = Array.from({ length: 3 }, () => applyBuyerChanges(shop.orders.context))
      for (const replica of replicas) replica.wake()
      await Promise.all([applyAll(shop.db), applyAll(shop.orders.context.db)])
      for (const replica of replicas) await replica.stop()
    }
    await count()
    expect(await only(email)).toMatchObject({ orders: 1201, revenue: [usd(1201 * 4920)] })
    await shop.suite.sql('insert into orders.buyer_changes (order_id) select id from orders.orders')
    await count()
    expect(await only(email)).toMatchObject({ orders: 1201, revenue: [usd(1201 * 4920)] })
  })

  test('is counted without a payment having to wait', async () => {
    const email = newEmail()
    const paid = await transaction(shop.db, async (tx) => {
      // No replica counts the order before this batch does.
      await lockBuyers(tx)
      const { id } = await order(email)
      await addOrdersToBuyers(tx, [id])
      await pay(id)
      return id
    })
    expect(await shop.order(paid)).toMatchObject({ status: 'paid' })
    expect(await only(email)).toMatchObject({ orders: 1, revenue: [usd(4920)] })
  })

  test('counts an order without a list being read', async () => {
    const email = newEmail()
    await order(email)
    const timer = applyBuyerChanges(shop.orders.context)
    try {
      await waitFor('the buyer', async () => {
        const rows = await shop.suite.sql('select from orders.buyers where email_canonical = $1', [email])
        return rows.length === 1
      })
    } finally {
      await timer.stop()
    }
    expect(await shop.suite.sql('select from orders.buyer_changes')).toEqual([])
  })

  test('agrees with the orders after all changes of the other tests', async () => {
    await applyAll(shop.db)
    expect(await shop.suite.sql('select from orders.buyers')).not.toEqual([])
    const differing = await shop.suite.sql(`
      select b.email from orders.buyers b join lateral (
        select count(*) filter (where status <> 'cancelled') as orders, sum(captured_minor - refunded_minor) as revenue
        from orders.orders o where o.email_canonical = b.email_canonical
          and not exists (select from orders.deleted_customers d where d.customer_id = o.customer_id)
      ) o on true where b.orders <> o.orders or b.revenue_minor <> o.revenue`)
    expect(differing).toEqual([])
  })

  test('is for those who may read customers', async () => {
    const { status } = await shop.call('GET', '/admin/buyers', undefined, shop.suite.headers.admin(['orders:read']))
    expect(status).toBe(403)
  })
})

describe('notes and tags of a buyer', () => {
  test('are written by support, shown with their author, and audited without the text of a note', async () => {
    const email = newEmail()
    await order(email)
    const { id } = await only(email)
    const note = await write(id, '  Prefers a call.\r\n ')
    expect(note).toMatchObject({ author: 'user_sue', text: 'Prefers a call.' })
    const changed = await shop.call('PATCH', `/admin/buyers/${id}`, { tags: ['VIP', 'Press'] }, support())
    expect(changed.body).toMatchObject({ id, tags: ['VIP', 'Press'] })
    expect((await list('tag=vip')).items.map((buyer) => buyer.id)).toEqual([id])
    // Another order keeps both.
    await order(email)
    await applyAll(shop.db)
    expect(await show(id)).toMatchObject({ tags: ['VIP', 'Press'], notes: [{ id: note.id }], orders: 2 })
    const entries = await audit(id)
    expect(entries).toEqual([
      { actor: 'user_sue', action: 'note', before: null, after: { note: note.id } },
      { actor: 'user_sue', action: 'update', before: { tags: [] }, after: { tags: ['VIP', 'Press'] } },
    ])
  })

  test('a note is deleted by its author or an owner', async () => {
    const email = newEmail()
    await order(email)
    const { id } = await only(email)
    const [mine, other] = [await write(id, 'Mine.'), await write(id, 'Of the owner.', owner())]
    const remove = (note: string, headers: object) =>
      shop.call('DELETE', `/admin/buyers/${id}/notes/${note}`, undefined, headers)
    expect(errorOf(await remove(other.id, support()))).toMatchObject({ status: 403 })
    const twice = await Promise.all([remove(mine.id, support()), remove(mine.id, owner())])
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 404]))
    expect((await show(id)).notes.map(({ text }) => text)).toEqual(['Of the owner.'])
  })
})

describe('the data of a guest', () => {
  test('are exported as the buyer sees them, without notes and tags', async () => {
    const email = newEmail()
    const { number } = await order(email)
    const { id } = await only(email)
    await write(id, 'A word of another person.')
    const createdAt = '2026-03-01T12:00:00.000Z'
    alerts.set(email, [{ kind: 'price-drop', productSlug: 'linen', createdAt }])
    await shop.call('PATCH', `/admin/buyers/${id}`, { tags: ['Careful'] }, support())
    const { status, body, headers } = await shop.call('GET', `/admin/buyers/${id}/export`, undefined, support())
    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="personal-data.json"')
    expect(body).toMatchObject({ buyer: { email, orders: 1 }, addresses: [{ name: 'Ada' }], orders: [{ number }] })
    expect(body).toMatchObject({ alerts: alerts.get(email) })
    expect(JSON.stringify(body)).not.toMatch(/another person|Careful/)
    expect((await audit(id)).at(-1)).toMatchObject({ action: 'export' })
  })

  test('are deleted by an owner: nothing opens the orders, which stay, and no account inherits them', async () => {
    const email = newEmail()
    const response = await place(email)
    const { id: orderId, accessToken = '' } = orderOf(response)
    const { id } = await only(email)
    await write(id, 'Gone soon.')
    expect(errorOf(await erase(id, support()))).toMatchObject({ status: 403 })
    const both = await Promise.all([erase(id), erase(id)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 404]))
    for (const [path, headers] of [
      [`/orders/${orderId}`, cookie(response.browser)],
      [`/orders/${orderId}?token=${accessToken}`, {}],
    ] as const) {
      expect((await shop.call('GET', path, undefined, headers)).status).toBe(404)
    }
    expect((await shop.call('GET', `/admin/orders/${orderId}`, undefined, owner())).body).toMatchObject({ email })
    const [closedFor] = await shop.suite.sql<{ customer_id: string }>(
      'select customer_id from orders.orders where id = $1',
      [orderId],
    )
    expect(closedFor?.customer_id).toMatch(/^cus_/)
    expect(await shop.suite.eventsOf(BuyerErased)).toEqual([{ email, customerId: closedFor?.customer_id }])
    // A later payment does not bring the buyer back.
    await pay(orderId)
    expect((await list(`q=${email}`)).items).toEqual([])
    expect(await shop.suite.sql('select from orders.buyer_notes where buyer_id = $1', [id])).toEqual([])
    expect((await audit(id)).at(-1)).toEqual({ actor: 'user_owner', action: 'erase', before: null, after: null })
    await order(email)
    expect(await only(email)).toMatchObject({ orders: 1 })
  })

  test('are not deleted while the buyer has an account', async () => {
    const email = newEmail()
    await order(email, { customerId: 'cus_kept' })
    const { id } = await only(email)
    expect(errorOf(await erase(id))).toMatchObject({ status: 409, code: 'conflict' })
    expect((await show(id)).orders).toBe(1)
    expect(JSON.stringify(await shop.suite.eventsOf(BuyerErased))).not.toContain(email)
  })
})

test('deleting an account removes its orders, notes and tags, whenever and however often the event arrives', async () => {
  const [shared, own] = [newEmail(), newEmail()]
  await order(shared)
  await order(shared, { customerId: 'cus_gone' })
  await order(own, { customerId: 'cus_gone' })
  const { id } = await only(shared)
  await write(id, 'About the customer.')
  await shop.call('PATCH', `/admin/buyers/${id}`, { tags: ['VIP'] }, support())
  // This order is not counted yet.
  await order(own, { customerId: 'cus_gone' })
  await customerDeleted('cus_gone')
  expect((await list(`q=${own}`)).items).toEqual([])
  const left = await only(shared)
  expect(left).toMatchObject({ id, orders: 1, tags: [] })
  expect(left).not.toHaveProperty('customerId')
  expect((await show(id)).notes).toEqual([])
})

test('an account is deleted without locking an order that is being counted', async () => {
  const { id } = await order(newEmail(), { customerId: 'cus_counted' })
  await shop.suite.sql(`update orders.orders set document = document || '{"giftMessage": "For Grace"}' where id = $1`, [
    id,
  ])
  const deleted = await transaction(shop.db, async (tx) => {
    await lockBuyers(tx)
    const event = customerDeleted('cus_counted')
    await waitFor('the consumer to wait for the counting', async () => {
      const waiting = await shop.suite.sql(`
        select from pg_locks waiting join pg_locks receipt using (pid)
        where waiting.locktype = 'advisory' and not waiting.granted and receipt.relation = 'orders.inbox'::regclass
          and receipt.database = (select oid from pg_database where datname = current_database())`)
      return waiting.length > 0
    })
    // Locks the order, as the foreign key of a counted order does.
    await sql`select from orders where id = ${id} for key share nowait`.execute(tx)
    return { event }
  })
  await deleted.event
  const [row] = await shop.suite.sql<{ message: string | null }>(
    `select document->>'giftMessage' as message from orders.orders where id = $1`,
    [id],
  )
  expect(row).toEqual({ message: null })
})
