import { sendRequest, type Messaging } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import { CustomerDeleted, newId, OrderPlaced, ReadCartPersonalData, type Cart } from '@storefront/contracts'
import { waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertCarts } from '../src/cart/carts.queries.ts'
import { closeOrderedCarts } from '../src/cart/close-ordered-carts.ts'
import { addDiscount, cartWithDiscount } from './discounts.ts'
import { consumed, publishEvent } from './events.ts'
import { placedOrder, simulateOrders } from './orders.ts'
import { createShop, type Shop } from './shop.ts'

let shop: Shop
let identity: Messaging

beforeAll(async () => {
  shop = await createShop()
  for (const variant of ['var_m', 'var_l']) await shop.shelf.put(variant)
  identity = await shop.suite.openMessaging('identity')
})
afterAll(() => shop.stop())

const as = (customerId: string) => shop.suite.headers.customer(customerId)
const get = (id: string, headers: object) => shop.call('GET', `/carts/${id}`, undefined, headers)

const deleteCustomer = async (customerId: string, id?: string) =>
  consumed(shop, await publishEvent(identity, CustomerDeleted, { customerId }, { id }))

test('the open carts of a deleted account are deleted, and other customers’ carts stay', async () => {
  const gone = [await shop.cartWith({ var_m: 1 }, as('cus_gone')), await shop.cartWith({ var_l: 1 }, as('cus_gone'))]
  const other = await shop.cartWith({ var_m: 1 }, as('cus_other'))
  const guest = await shop.cartWith({ var_m: 1 })
  const id = newId('event')
  await deleteCustomer('cus_gone', id)
  await deleteCustomer('cus_gone', id)
  await deleteCustomer('cus_nobody')
  for (const cart of gone) expect((await get(cart.id, as('cus_gone'))).status).toBe(404)
  expect(await shop.suite.sql('select 1 from cart.carts where customer_id = $1', ['cus_gone'])).toEqual([])
  expect((await get(other.id, as('cus_other'))).status).toBe(200)
  expect((await get(guest.id, {})).status).toBe(200)
})

describe('lines of a deleted account that were not ordered', () => {
  const cartsOf = (customerId: string) =>
    shop.suite.sql('select status from cart.carts where customer_id = $1', [customerId])
  const shirtOf = ({ lines }: Cart) => lines.filter(({ variantId }) => variantId === 'var_m')

  test('get no new cart when the order of a closed cart arrives late', async () => {
    const bought = await shop.cartWith({ var_m: 1, var_l: 1 }, as('cus_late'))
    // As `resumeCart` does when orders replies that the cart is an order.
    await convertCarts(shop.cart.context.db, [bought.id])
    await deleteCustomer('cus_late')
    const orders = await shop.suite.openMessaging('orders')
    await consumed(shop, await publishEvent(orders, OrderPlaced, placedOrder(bought.id, shirtOf(bought))))
    expect(await cartsOf('cus_late')).toEqual([])
  })

  test('are deleted when they are moved to a new cart at the same moment', async () => {
    const bought = await shop.cartWith({ var_m: 1, var_l: 1 }, as('cus_moving'))
    const lines = shirtOf(bought)
    const order = { lines, lineIds: new Set(lines.map(({ id }) => id)), cartIds: [bought.id] }
    const moved = Promise.withResolvers<void>()
    const deleting = Promise.withResolvers<void>()
    const moving = transaction(shop.cart.context.db, async (tx) => {
      await closeOrderedCarts(tx, new Map([[bought.id, order]]), { now: new Date(), ttlDays: 30 })
      moved.resolve()
      await deleting.promise
    })
    await moved.promise
    const deleted = deleteCustomer('cus_moving')
    await waitForLock(shop.suite)
    deleting.resolve()
    await Promise.all([moving, deleted])
    expect(await cartsOf('cus_moving')).toEqual([])
  })
})

test('discount redemptions of a deleted account stay, and only a keyed hash identifies the customer', async () => {
  const code = await addDiscount(shop, 'DELETED', { perCustomerLimit: 1 })
  const orders = await simulateOrders(shop)
  const claims: (string | undefined)[] = []
  for (const customerId of ['cus_used', 'cus_stays']) {
    const id = await cartWithDiscount(shop, code, as(customerId))
    const email = `${customerId}@mail.example`
    const { discountClaim } = await orders.hold(id, { headers: as(customerId), email })
    claims.push(discountClaim)
    await orders.placed(id, discountClaim, { email, customerId })
    expect((await sendRequest(identity, ReadCartPersonalData, { customerId })).records).toEqual([
      { kind: 'discount-use', record: { code: 'DELETED', status: 'used', at: expect.stringMatching(/^20.*Z$/) } },
    ])
  }
  await deleteCustomer('cus_used')
  const redemptions = await shop.suite.sql(
    `select customer_id, email_digest, length(buyer_hash) as hashed, status from cart.discount_redemptions order by customer_id`,
  )
  expect(redemptions).toEqual([
    { customer_id: 'cus_stays', email_digest: null, hashed: 32, status: 'used' },
    { customer_id: null, email_digest: null, hashed: 32, status: 'used' },
  ])
  expect(await sendRequest(identity, ReadCartPersonalData, { customerId: 'cus_used' })).toEqual({ records: [] })
  await orders.cancelled('cart_any', claims[0])
  expect(await shop.suite.sql('select used from cart.discounts')).toEqual([{ used: 1 }])
})

test('the stored data of a customer are the open carts with their lines, in pages that fit into a message', async () => {
  const first = await shop.cartWith({ var_m: 2, var_l: 1 }, as('cus_own'))
  await shop.cartWith({ var_m: 1 }, as('cus_foreign'))
  await shop.suite.sql(
    `insert into cart.carts (id, customer_id, lines, created_at, expires_at)
     select id || '_' || n, customer_id, jsonb_set(lines, '{0,remembered,title}', to_jsonb(repeat('x', 20000))),
       created_at, expires_at
     from cart.carts, generate_series(1, 45) as n where id = $1`,
    [first.id],
  )
  const found: Record<string, unknown>[] = []
  let after: string | undefined
  do {
    const request = { customerId: 'cus_own', ...(after === undefined ? {} : { after }) }
    const reply = await sendRequest(identity, ReadCartPersonalData, request)
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(260_000)
    found.push(...reply.records.map(({ kind, record }) => ({ kind, ...record })))
    after = reply.next
  } while (after !== undefined)
  expect(found).toHaveLength(46)
  expect(new Set(found.map((cart) => cart['id'])).size).toBe(46)
  const time = expect.stringMatching(/^20.*Z$/)
  const line = { productSlug: 'linen-shirt', options: { Size: 'M' } }
  expect(found.find((cart) => cart['id'] === first.id)).toEqual({
    kind: 'cart',
    id: first.id,
    createdAt: time,
    expiresAt: time,
    lines: [
      { ...line, variantId: 'var_m', title: 'Linen shirt var_m', quantity: 2 },
      { ...line, variantId: 'var_l', title: 'Linen shirt var_l', quantity: 1 },
    ],
  })
  expect(await sendRequest(identity, ReadCartPersonalData, { customerId: 'cus_nobody' })).toEqual({ records: [] })
})
