import { sql } from 'kysely'
import { createDatabase, transaction } from '@storefront/postgres'
import { manualClock } from '@storefront/service/testing'
import { replyTo, sendRequest, type Messaging } from '@storefront/messaging'
import { CheckCartOrdered, CheckDiscounts, type DiscountInput, type Quote } from '@storefront/contracts'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CartTables, Tx } from '../src/database.ts'
import { findRedemptionCounts } from '../src/discounts/redemptions.queries.ts'
import { addDiscount, cartWithDiscount } from './discounts.ts'
import { simulateOrders, rejectionOf, type Orders } from './orders.ts'
import { cartOf, createShop, errorOf, usd, type Shop } from './shop.ts'

const clock = manualClock(new Date())
const TAKEN = { status: 422, code: 'invalid_discount', detail: { reason: 'used_up' } }
const USED_BEFORE = { status: 422, code: 'invalid_discount', detail: { reason: 'used_before' } }
let shop: Shop
let orders: Orders
let ordersConnection: Messaging

beforeAll(async () => {
  shop = await createShop({ clock })
  orders = await simulateOrders(shop)
  ordersConnection = await shop.suite.openMessaging('orders')
  await shop.shelf.put('var_m', { price: usd(4000) })
})
afterAll(() => shop.stop())
beforeEach(() => shop.shelf.configure({ commerce: {} }))

let counter = 0

const discount = (change?: Partial<DiscountInput>) => addDiscount(shop, `HOLD${++counter}`, change)

const merchant = () => shop.suite.headers.admin(['discounts:write'])

async function changeDiscount(code: string, change: Partial<DiscountInput>): Promise<void> {
  expect((await shop.call('PATCH', `/admin/discounts/${code}`, change, merchant())).status).toBe(200)
}

const cartWithCode = (code: string, headers?: object) => cartWithDiscount(shop, code, headers)

const usedOf = async (code: string) =>
  (await shop.suite.sql<{ used: number }>('select used from cart.discounts where code = $1', [code]))[0]?.used
const redemptionsOf = (code: string) =>
  shop.suite.sql<{ id: string; status: string; generation: number; customer_id: string | null; buyer_hash: unknown }>(
    'select id, status, generation, customer_id, buyer_hash from cart.discount_redemptions where code = $1',
    [code],
  )
const statusOf = async (claim: string) =>
  (
    await shop.suite.sql<{ status: string }>(
      `select status from cart.discount_redemptions where id || '.' || generation = $1`,
      [claim],
    )
  )[0]?.status
const claimOf = ({ discountClaim }: Quote) => {
  expect(discountClaim).toMatch(/^use_[0-9a-f]{40}\.\d+$/)
  return discountClaim ?? ''
}
const expectBalanced = async () =>
  expect(await sendRequest(ordersConnection, CheckDiscounts, {})).toEqual({ faults: [], total: 0 })

describe('before orders is available', () => {
  test('an overdue hold stays held, and is settled as soon as orders replies', async () => {
    const code = await discount({ usageLimit: 1 })
    const [first, second] = [await cartWithCode(code), await cartWithCode(code)]
    const claim = claimOf(await orders.hold(first, { ttlSeconds: 60 }))
    clock.advance(10 * 60_000)
    expect(await rejectionOf(orders.hold(second))).toMatchObject(TAKEN)
    expect(await statusOf(claim)).toBe('held')
    expect(await sendRequest(ordersConnection, CheckDiscounts, {})).toEqual({
      faults: [{ subject: claim, message: expect.stringMatching(/^is held although its deadline passed at 20/) }],
      total: 1,
    })
    orders.startSettling()
    await waitFor('the redemption to be released', async () => (await statusOf(claim)) === 'released')
    claimOf(await orders.hold(second))
    clock.advance(-10 * 60_000)
  })
})

describe('a quote that holds', () => {
  test('is at the reduced price and carries the claim on one redemption', async () => {
    const code = await discount({ label: 'Ten' })
    const id = await cartWithCode(code)
    const quote = await orders.hold(id)
    expect(quote).toMatchObject({ discount: usd(400), total: usd(3600), discountCode: { code, label: 'Ten' } })
    expect(await statusOf(claimOf(quote))).toBe('held')
    expect(await usedOf(code)).toBe(1)
  })

  test('holds nothing for a cart without a code', async () => {
    const { id } = await shop.cartWith({ var_m: 1 })
    const quote = await orders.hold(id)
    expect(quote).not.toHaveProperty('discountClaim')
    expect(await shop.suite.sql('select 1 from cart.discount_redemptions where cart_id = $1', [id])).toEqual([])
  })

  test('keeps one redemption and one claim for a cart, however often it is requested, also at the same time', async () => {
    const code = await discount({ usageLimit: 1, perCustomerLimit: 1 })
    const id = await cartWithCode(code)
    const quotes = await Promise.all(Array.from({ length: 10 }, () => orders.hold(id)))
    expect(new Set([...quotes, await orders.hold(id)].map(claimOf)).size).toBe(1)
    expect(await usedOf(code)).toBe(1)
    expect((await redemptionsOf(code)).map(({ status, generation }) => [status, generation])).toEqual([['held', 1]])
    expect(cartOf(await shop.call('GET', `/carts/${id}`)).discountCode?.code).toBe(code)
  })

  test('gives a code with three redemptions to three of ten checkouts at once', async () => {
    const code = await discount({ usageLimit: 3 })
    const ids = await Promise.all(Array.from({ length: 10 }, () => cartWithCode(code)))
    const outcomes = await Promise.allSettled(
      ids.map((id, index) => orders.hold(id, { email: `buyer-${index}@mail.example` })),
    )
    const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [claimOf(outcome.value)] : []))
    expect(new Set(held).size).toBe(3)
    const errors = outcomes.flatMap<unknown>((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(errors).toEqual(Array.from({ length: 7 }, () => expect.objectContaining(TAKEN)))
    expect(await usedOf(code)).toBe(3)
    await expectBalanced()
  })

  test('leaves the code on a cart that is rejected, until it is priced the next time', async () => {
    const code = await discount({ usageLimit: 1 })
    const [winner, loser] = [await cartWithCode(code), await cartWithCode(code)]
    await orders.hold(winner)
    expect(await rejectionOf(orders.hold(loser))).toEqual({ ...TAKEN, message: 'This discount code has been used up.' })
    const kept = await shop.suite.sql('select discount_code from cart.carts where id = $1', [loser])
    expect(kept).toEqual([{ discount_code: code }])
    expect(cartOf(await shop.call('GET', `/carts/${loser}`))).not.toHaveProperty('discountCode')
    const again = await shop.call('POST', `/carts/${loser}/discount`, { code })
    expect(errorOf(again)).toMatchObject(TAKEN)
  })

  test('holds no redemption when a product was withdrawn', async () => {
    const code = await discount()
    await shop.shelf.put('var_gone', { published: true })
    const { id } = await shop.cartWith({ var_m: 1, var_gone: 1 })
    cartOf(await shop.call('POST', `/carts/${id}/discount`, { code }))
    await shop.shelf.put('var_gone', { published: false })
    expect(await rejectionOf(orders.hold(id))).toMatchObject({ code: 'out_of_stock' })
    expect(await usedOf(code)).toBe(0)
  })

  test('waits for a merchant who is changing the code, and sees the change', async () => {
    const code = await discount()
    const id = await cartWithCode(code)
    const { sql } = shop.suite
    await sql('begin')
    await sql('update cart.discounts set value = 50 where code = $1', [code])
    const quoted = orders.hold(id)
    try {
      await waitForLock(shop.suite, 'from discounts')
    } finally {
      await sql('commit')
    }
    expect(await quoted).toMatchObject({ discount: usd(2000) })
  })
})

describe('a released redemption', () => {
  test('is held by another cart, and the first cart gets a new claim when one is free again', async () => {
    const code = await discount({ usageLimit: 1 })
    const [first, second] = [await cartWithCode(code), await cartWithCode(code)]
    const before = claimOf(await orders.hold(first))
    expect(await orders.release(before)).toBe(true)
    expect(await orders.release(before)).toBe(false)
    expect(await usedOf(code)).toBe(0)
    const other = claimOf(await orders.hold(second))
    expect(await rejectionOf(orders.hold(first))).toMatchObject(TAKEN)
    expect(await orders.release(other)).toBe(true)
    const after = claimOf(await orders.hold(first))
    expect(after).not.toBe(before)
    // The claim of the released hold must not release the new one.
    expect(await orders.release(before)).toBe(false)
    await orders.placed('cart_nothing', before)
    expect(await statusOf(after)).toBe('held')
    expect(await usedOf(code)).toBe(1)
  })

  test('no longer identifies its buyer', async () => {
    const code = await discount()
    await orders.release(claimOf(await orders.hold(await cartWithCode(code))))
    expect(await redemptionsOf(code)).toMatchObject([{ status: 'released', customer_id: null, buyer_hash: null }])
  })

  test('is released by its own claim only: an unknown one releases nothing', async () => {
    for (const claim of ['use_nothing.1', 'nothing', '.', '.1']) expect(await orders.release(claim)).toBe(false)
  })
})

describe('an overdue hold', () => {
  test('is redeemed when there is an order, and is released when there is none', async () => {
    const code = await discount()
    const [bought, left] = [await cartWithCode(code), await cartWithCode(code)]
    const claims = [
      claimOf(await orders.hold(bought, { ttlSeconds: 60 })),
      claimOf(await orders.hold(left, { ttlSeconds: 60 })),
    ] as const
    orders.startSettling([claims[0]])
    clock.advance(61_000)
    await waitFor('the holds to be settled', async () => (await statusOf(claims[1])) === 'released')
    expect(await statusOf(claims[0])).toBe('used')
    expect(await usedOf(code)).toBe(1)
    // Its event arrives late, and twice.
    await orders.placed(bought, claims[0])
    await orders.placed(bought, claims[0])
    expect(await usedOf(code)).toBe(1)
    expect(await orders.release(claims[0])).toBe(false)
    await expectBalanced()
    clock.advance(-61_000)
  })

  test('is not settled before its deadline, which a later quote extends', async () => {
    const code = await discount()
    const id = await cartWithCode(code)
    const claim = claimOf(await orders.hold(id, { ttlSeconds: 60 }))
    orders.startSettling()
    clock.advance(50_000)
    expect(claimOf(await orders.hold(id, { ttlSeconds: 60 }))).toBe(claim)
    const other = claimOf(await orders.hold(await cartWithCode(code), { ttlSeconds: 1 }))
    clock.advance(11_000)
    await waitFor('the other hold to be settled', async () => (await statusOf(other)) === 'released')
    expect(await statusOf(claim)).toBe('held')
    expect(orders.settled).not.toContain(claim)
    clock.advance(-61_000)
  })
})

describe('an order', () => {
  test('redeems a held discount, which its cancellation releases', async () => {
    const code = await discount({ usageLimit: 1 })
    const id = await cartWithCode(code)
    const claim = claimOf(await orders.hold(id))
    await orders.placed(id, claim)
    expect(await statusOf(claim)).toBe('used')
    const other = await shop.cartWith({ var_m: 1 })
    expect(errorOf(await shop.call('POST', `/carts/${other.id}/discount`, { code }))).toMatchObject(TAKEN)
    await orders.cancelled(id, claim)
    await orders.cancelled(id, claim)
    expect(await statusOf(claim)).toBe('released')
    expect(await usedOf(code)).toBe(0)
    cartOf(await shop.call('POST', `/carts/${other.id}/discount`, { code }))
    await expectBalanced()
  })

  test('that is cancelled before its event arrives does not count', async () => {
    const code = await discount({ usageLimit: 1 })
    const id = await cartWithCode(code)
    const claim = claimOf(await orders.hold(id))
    await orders.cancelled(id, claim)
    await orders.placed(id, claim)
    expect(await statusOf(claim)).toBe('released')
    expect(await usedOf(code)).toBe(0)
  })

  test('without a code, or with one that was deleted meanwhile, is still consumed', async () => {
    const code = await discount()
    const [plain, id] = [await shop.cartWith({ var_m: 1 }), await cartWithCode(code)]
    const claim = claimOf(await orders.hold(id))
    const admin = shop.suite.headers.admin(['discounts:write'])
    expect((await shop.call('DELETE', `/admin/discounts/${code}`, undefined, admin)).status).toBe(200)
    await orders.placed(plain.id)
    await orders.placed(id, claim)
    await orders.cancelled(plain.id)
    await orders.cancelled(id, claim)
    await orders.placed('cart_nothing', 'use_nothing.1')
    await orders.cancelled('cart_nothing', 'use_nothing.1')
    expect((await shop.call('GET', `/carts/${id}`)).status).toBe(404)
    // A code that is created again is another discount.
    await shop.call('POST', '/admin/discounts', { code, kind: 'percent', value: 10, usageLimit: 1 }, admin)
    expect(await usedOf(code)).toBe(0)
    expect(claimOf(await orders.hold(await cartWithCode(code)))).not.toBe(claim)
    await expectBalanced()
  })
})

describe('the limit per customer', () => {
  test('counts by mailbox, in any spelling of its address', async () => {
    const code = await discount({ perCustomerLimit: 1 })
    const [first, second, third] = [await cartWithCode(code), await cartWithCode(code), await cartWithCode(code)]
    await orders.hold(first, { email: 'Bea@Mail.example' })
    expect(await rejectionOf(orders.hold(second, { email: ' bea@mail.EXAMPLE ' }))).toMatchObject(USED_BEFORE)
    claimOf(await orders.hold(second, { email: 'carl@m\u00fcll.example' }))
    expect(await rejectionOf(orders.hold(third, { email: 'carl+new@xn--mll-hoa.example' }))).toMatchObject(USED_BEFORE)
    const redemptions = await shop.suite.sql('select u::text as row from cart.discount_redemptions u where code = $1', [
      code,
    ])
    expect(JSON.stringify(redemptions)).not.toMatch(/(bea|carl)@/i)
  })

  test('counts by account, whatever the address, also for two checkouts at once', async () => {
    const code = await discount({ perCustomerLimit: 1 })
    const headers = shop.suite.headers.customer('cus_dora')
    const ids = [await cartWithCode(code, headers), await cartWithCode(code, headers)]
    const outcomes = await Promise.allSettled(
      ids.map((id, index) => orders.hold(id, { email: `dora-${index}@mail.example`, headers })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const { id } = await shop.cartWith({ var_m: 1 }, headers)
    expect(errorOf(await shop.call('POST', `/carts/${id}/discount`, { code }, headers))).toMatchObject(USED_BEFORE)
    const guest = await cartWithCode(code)
    claimOf(await orders.hold(guest, { email: 'erna@mail.example' }))
  })

  test.each(['held', 'used'])(
    'counts an order for its buyer, although another checkout of its cart came later, when the redemption is %s',
    async (status) => {
      const code = await discount({ perCustomerLimit: 1 })
      const [id, next] = [await cartWithCode(code), await cartWithCode(code)]
      const claim = claimOf(await orders.hold(id, { email: 'gil@mail.example' }))
      expect(claimOf(await orders.hold(id, { email: 'hal@mail.example' }))).toBe(claim)
      await shop.suite.sql('update cart.discount_redemptions set status = $2 where code = $1', [code, status])
      await orders.placed(id, claim, { email: 'gil@mail.example' })
      expect(await statusOf(claim)).toBe('used')
      expect(await rejectionOf(orders.hold(next, { email: 'gil@mail.example' }))).toMatchObject(USED_BEFORE)
      claimOf(await orders.hold(next, { email: 'hal@mail.example' }))
    },
  )

  test('does not count customers without an address together with others', async () => {
    const code = await discount({ perCustomerLimit: 1 })
    for (const id of [await cartWithCode(code), await cartWithCode(code)]) {
      claimOf(await orders.hold(id, { email: ' ', onBehalf: true }))
    }
    expect(await usedOf(code)).toBe(2)
  })
})

describe('a buyer at a payment page who signs in and returns to the cart', () => {
  beforeAll(async () => {
    const context = { messaging: ordersConnection, log: shop.suite.log, verifyActor: () => undefined }
    replyTo(context, CheckCartOrdered, async () => ({ ordered: false }))
    await ordersConnection.connection().flush()
    await shop.shelf.put('var_l', { price: usd(4000) })
  })

  async function mergedCart(code: string, customer: string) {
    const headers = shop.suite.headers.customer(customer)
    await shop.cartWith({ var_l: 1 }, headers)
    const guest = await cartWithCode(code)
    const claim = claimOf(await orders.hold(guest, { email: `${customer}@mail.example` }))
    const cart = cartOf(await shop.call('GET', `/carts/${guest}`, undefined, headers))
    expect(cart.lines).toHaveLength(2)
    return { headers, cart, claim, guest }
  }

  test.each<[string, Partial<DiscountInput>]>([
    ['one per customer', { perCustomerLimit: 1 }],
    ['one in total', { usageLimit: 1 }],
  ])('keeps a code with a limit of %s', async (_limit, change) => {
    const code = await discount(change)
    const customer = `cus_back_${counter}`
    const other = await cartWithCode(code)
    const { headers, cart, claim } = await mergedCart(code, customer)
    expect(cart.discountCode?.code).toBe(code)
    const held = claimOf(await orders.hold(cart.id, { email: `${customer}@mail.example`, headers }))
    expect(held).not.toBe(claim)
    const another = orders.hold(other, { email: `${customer}@mail.example` })
    expect(await rejectionOf(another)).toMatchObject({ status: 422, code: 'invalid_discount' })
    await expectBalanced()
  })

  test('loses a code with a limit of one when the first checkout becomes an order', async () => {
    const code = await discount({ usageLimit: 1 })
    const { cart, headers, claim, guest } = await mergedCart(code, `cus_paid_${counter}`)
    await orders.placed(guest, claim)
    expect(cartOf(await shop.call('GET', `/carts/${cart.id}`, undefined, headers)).discountCode).toBeUndefined()
  })
})

describe('on behalf of a merchant', () => {
  test("any cart is quoted, and stays its owner's", async () => {
    const code = await discount()
    const headers = shop.suite.headers.customer('cus_fay')
    const id = await cartWithCode(code, headers)
    expect(await rejectionOf(orders.hold(id))).toMatchObject({ code: 'cart_not_found' })
    expect(await orders.hold(id, { onBehalf: true })).toMatchObject({ cartId: id, customerId: 'cus_fay' })
    const guest = await shop.cartWith({ var_m: 1 })
    const admin = shop.suite.headers.admin()
    expect(await orders.hold(guest.id, { onBehalf: true, headers: admin })).not.toHaveProperty('customerId')
    expect(await rejectionOf(orders.hold('cart_nothing', { onBehalf: true }))).toMatchObject({ code: 'cart_not_found' })
  })

  test.each<[string, Partial<DiscountInput>, (code: string) => Promise<unknown>]>([
    ['was used before', { perCustomerLimit: 1 }, async (code) => orders.hold(await cartWithCode(code))],
    [
      'is used up',
      { usageLimit: 1 },
      async (code) => orders.hold(await cartWithCode(code), { email: 'x@mail.example' }),
    ],
    ['has expired', {}, (code) => changeDiscount(code, { endsAt: clock.now().toISOString() })],
    ['was switched off', {}, (code) => changeDiscount(code, { active: false })],
  ])('a cart that was paid keeps the price of a code that %s, without a redemption', async (_fault, change, end) => {
    const code = await discount(change)
    const id = await cartWithCode(code)
    await end(code)
    const used = await usedOf(code)
    expect(await rejectionOf(orders.hold(id, { onBehalf: true }))).toMatchObject({ code: 'invalid_discount' })
    const paid = await orders.hold(id, { onBehalf: true, paid: true })
    expect(paid).toMatchObject({ discount: usd(400), total: usd(3600), discountCode: { code } })
    expect(paid).not.toHaveProperty('discountClaim')
    expect(await usedOf(code)).toBe(used)
  })

  test('a cart that was paid is quoted without a code that was deleted, and redeems one that is valid', async () => {
    const [gone, valid] = [await discount(), await discount()]
    const id = await cartWithCode(gone)
    expect((await shop.call('DELETE', `/admin/discounts/${gone}`, undefined, merchant())).status).toBe(200)
    expect(await orders.hold(id, { onBehalf: true, paid: true })).toMatchObject({ total: usd(4000) })
    claimOf(await orders.hold(await cartWithCode(valid), { onBehalf: true, paid: true }))
  })

  test('a cart that was paid has the goods that were withdrawn since, at the price that they had', async () => {
    for (const [index, id] of ['var_hidden', 'var_lost', 'var_abroad'].entries())
      await shop.shelf.put(id, { price: usd(1000 * (index + 1)) })
    const cart = await shop.cartWith({ var_m: 1, var_hidden: 2, var_lost: 1 })
    await shop.shelf.put('var_hidden', { published: false })
    await shop.shelf.remove('var_lost')
    expect(await rejectionOf(orders.hold(cart.id, { onBehalf: true }))).toMatchObject({ code: 'out_of_stock' })
    const paid = await orders.hold(cart.id, { onBehalf: true, paid: true })
    expect(paid).toMatchObject({ lines: cart.lines, total: usd(8000) })
    expect(paid.lines.filter(({ available }) => available === false)).toEqual([])
    // A price in another currency than the shop's is not used.
    const abroad = await shop.cartWith({ var_abroad: 1 })
    await shop.shelf.put('var_abroad', { price: { amount: 3000, currency: 'EUR' } })
    await shop.suite.sql(`update cart.carts set lines = replace(lines::text, 'USD', 'EUR')::jsonb where id = $1`, [
      abroad.id,
    ])
    expect(await rejectionOf(orders.hold(abroad.id, { onBehalf: true, paid: true }))).toMatchObject({
      code: 'out_of_stock',
    })
  })

  test('a cart without an address is taxed for the country of the shop', async () => {
    const tax = {
      defaultRate: 0,
      rates: [{ country: 'US', rate: 1000 }],
      pricesIncludeTax: false,
      shippingTaxed: false,
    }
    await shop.shelf.configure({ commerce: { countries: ['US', 'DE'], tax } })
    const { id } = await shop.cartWith({ var_m: 1 })
    expect(await orders.hold(id, { onBehalf: true })).toMatchObject({ tax: usd(400), total: usd(4400) })
    expect(await rejectionOf(orders.hold(id))).toMatchObject({ code: 'undeliverable_country' })
    const abroad = { onBehalf: true, address: { country: 'FR' } } as const
    expect(await rejectionOf(orders.hold(id, abroad))).toMatchObject({ code: 'undeliverable_country' })
  })
})

test('the discount check reports which count is wrong', async () => {
  const code = await discount()
  await orders.hold(await cartWithCode(code))
  await shop.suite.sql('update cart.discounts set used = 7 where code = $1', [code])
  expect(await sendRequest(ordersConnection, CheckDiscounts, {})).toEqual({
    faults: [{ subject: code, message: 'counts 7 redemptions, but has 1' }],
    total: 1,
  })
  await shop.suite.sql('update cart.discounts set used = 1 where code = $1', [code])
  await expectBalanced()
})

test('the discount check counts the redemptions of each discount separately, however many others have', async () => {
  const code = await discount()
  await shop.suite.sql(
    `insert into cart.discounts (code, kind, value, active, used, created_at, updated_at)
     select 'MANY' || lpad(n::text, 3, '0'), 'percent', 10, true, (n = 1 or n = 250)::int, now(), now()
     from generate_series(1, 250) n`,
  )
  await shop.suite.sql(
    `insert into cart.discount_redemptions (id, generation, discount_id, code, cart_id, status, held_at, expires_at)
     select 'use_many' || n, 1, d.id, d.code, 'cart_many' || n, case when n > 20000 then 'released' else 'used' end,
       now(), now() from cart.discounts d, generate_series(1, 30000) n where d.code = $1`,
    [code],
  )
  await shop.suite.sql('analyze cart.discount_redemptions')
  const [popular] = await shop.suite.sql<{ id: number }>('select id::int from cart.discounts where code = $1', [code])
  const db = createDatabase<CartTables>({
    url: shop.suite.databaseUrl('cart'),
    poolSize: 1,
    name: 'test',
    log: shop.suite.log,
  })
  const read = async (tx: Tx) => {
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
      from pg_stat_xact_user_tables where schemaname = 'cart' and relname = 'discount_redemptions'`.execute(tx)
    return rows[0]?.read ?? 0
  }
  const others = await transaction(db, async (tx) => {
    const before = await read(tx)
    const counts = await findRedemptionCounts(tx, popular?.id ?? 0, 1000)
    return { counts: counts.length, read: (await read(tx)) - before }
  })
  await db.destroy()
  expect(others).toEqual({ counts: 250, read: 0 })

  const message = 'counts 1 redemptions, but has 0'
  expect(await sendRequest(ordersConnection, CheckDiscounts, {})).toEqual({
    faults: [
      { subject: code, message: 'counts 0 redemptions, but has 20000' },
      { subject: 'MANY001', message },
      { subject: 'MANY250', message },
    ],
    total: 3,
  })
  await shop.suite.sql(`delete from cart.discount_redemptions where id like 'use_many%'`)
  await shop.suite.sql(`delete from cart.discounts where code like 'MANY%'`)
  await expectBalanced()
})
