import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pageOf, payAtStripe } from './payment-pages.ts'
import { BUYER, cookie, createShop, errorOf, type TestResponse, type Shop } from './shop.ts'

const PER_BUYER = 3
const PER_ADDRESS = 6
let shop: Shop
let addresses = 0

beforeAll(async () => {
  shop = await createShop({
    env: {
      UNPAID_CHECKOUTS_PER_BUYER: String(PER_BUYER),
      UNPAID_CHECKOUTS_PER_ADDRESS: String(PER_ADDRESS),
      UNPAID_STOCK_PERCENT_PER_BUYER: '25',
    },
  })
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 100))
afterEach(() => shop.reset())

const redirect = { checkoutMode: 'redirect', checkoutProvider: 'stripe' }
const anAddress = () => `10.1.0.${++addresses}`
/** Headers as the gateway forwards them. */
const from = (address: string, more: object = {}) => ({
  ...shop.suite.headers.anonymous(),
  'x-forwarded-for': address,
  ...more,
})
const open = (headers: object, quantity = 1) =>
  shop.checkOut(shop.addCart({ var_m: quantity }, redirect).id, BUYER, headers)
const statusesOf = (responses: readonly TestResponse[]) =>
  responses.map(({ status }) => status).toSorted((one, other) => one - other)
const pay = (sessionId: string, reference: string, amount: number) => payAtStripe(shop, sessionId, reference, amount)

describe('checkouts that wait for payment', () => {
  test('are limited for each browser, also when they arrive at once, and nothing is held for rejected ones', async () => {
    const first = await open(from(anAddress()))
    const more = await Promise.all(Array.from({ length: 8 }, () => open(from(anAddress(), cookie(first.browser)))))
    expect(statusesOf([first, ...more])).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429])
    expect(shop.stock.available('var_m')).toBe(100 - PER_BUYER)
    const rejected = more.find(({ status }) => status === 429)
    expect(rejected && errorOf(rejected)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/^You have 3 unpaid checkouts\. .* in 32 minutes\.$/),
      detail: { limit: PER_BUYER },
    })
    expect(Number(rejected?.headers['retry-after'])).toBeGreaterThan(1900)
    // Another browser is not limited.
    pageOf(await open(from(anAddress())))
  })

  test('are limited for each account, whichever browsers it uses', async () => {
    const bea = () => ({ ...shop.suite.headers.customer('cus_bea'), 'x-forwarded-for': anAddress() })
    const responses = []
    for (let count = 0; count <= PER_BUYER; count++) {
      const cart = shop.addCart({ var_m: 1 }, { ...redirect, customerId: 'cus_bea' })
      responses.push(await shop.checkOut(cart.id, BUYER, bea()))
    }
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429])
  })

  test('are limited for each address or IPv6 network, whichever browsers use it', async () => {
    const address = anAddress()
    const responses = await Promise.all(Array.from({ length: PER_ADDRESS + 2 }, () => open(from(address))))
    expect(statusesOf(responses)).toEqual([...Array.from({ length: PER_ADDRESS }, () => 200), 429, 429])
    const inNetwork = await Promise.all(
      Array.from({ length: PER_ADDRESS + 1 }, (_, index) => open(from(`2001:db8:7:7::${index + 1}`))),
    )
    expect(statusesOf(inNetwork).filter((status) => status === 429)).toHaveLength(1)
    const rejected = inNetwork.find(({ status }) => status === 429)
    expect(rejected && errorOf(rejected).message).toContain('from your network')
    expect(shop.stock.available('var_m')).toBe(100 - 2 * PER_ADDRESS)
  })

  test('are not counted by a made-up address of a caller that bypasses the gateway', async () => {
    const responses = []
    for (let count = 0; count <= PER_ADDRESS; count++) responses.push(await open({ 'x-forwarded-for': anAddress() }))
    expect(statusesOf(responses)).toEqual([...Array.from({ length: PER_ADDRESS }, () => 200), 429])
  })

  test('no longer count when they are paid, and when the same cart is checked out again', async () => {
    const first = await open(from(anAddress()))
    const again = () => open(from(anAddress(), cookie(first.browser)))
    const cart = shop.addCart({ var_m: 1 }, redirect)
    const second = pageOf(await shop.checkOut(cart.id, BUYER, from(anAddress(), cookie(first.browser))))
    pageOf(await again())
    expect((await again()).status).toBe(429)
    const replaced = await shop.checkOut(
      cart.id,
      { ...BUYER, email: 'other@mail.example' },
      from(anAddress(), cookie(first.browser)),
    )
    expect(pageOf(replaced).id).not.toBe(second.id)
    expect((await again()).status).toBe(429)
    await pay(pageOf(replaced).id, 'pi_room', 4920)
    pageOf(await again())
    expect((await again()).status).toBe(429)
    const [kept] = await shop.suite.sql('select buyer_keys from orders.payment_sessions where id = $1', [second.id])
    expect(kept).toEqual({ buyer_keys: [] })
  })

  test('hold at most a share of a variant for one buyer, in one cart and in several', async () => {
    const first = await open(from(anAddress()), 20)
    const more = await Promise.all([5, 6, 4].map((units) => open(from(anAddress(), cookie(first.browser)), units)))
    const held = [20, ...more.flatMap(({ status }, index) => (status === 200 ? [[5, 6, 4][index] ?? 0] : []))]
    expect(held.reduce((sum, units) => sum + units, 0)).toBeLessThanOrEqual(25)
    expect(more.map(({ status }) => status)).toContain(200)
    const rejected = more.find(({ status }) => status !== 200)
    expect(rejected && errorOf(rejected)).toMatchObject({
      status: 409,
      code: 'insufficient_inventory',
      message: expect.stringContaining('at most 25 of Linen shirt, Sand, M'),
    })
  })
})

describe('a payment', () => {
  test('gets goods that must be reserved again, whatever else its buyer holds', async () => {
    const first = await open(from(anAddress()), 20)
    const page = pageOf(first)
    const [row] = await shop.suite.sql<{ claim: string }>('select claim from orders.payment_sessions where id = $1', [
      page.id,
    ])
    // The deadline of the hold passed while the payment was on its way.
    await shop.suite.sql(`update orders.payment_sessions set status = 'expired', buyer_keys = '{}' where id = $1`, [
      page.id,
    ])
    await shop.suite.sql(`insert into orders.claims values ($1, 'abandoned', now())`, [row?.claim])
    shop.stock.release(row?.claim ?? '')
    pageOf(await open(from(anAddress(), cookie(first.browser)), 25))
    const taken = await pay(page.id, 'pi_late', 80_920)
    expect(taken).toMatchObject({ kind: 'order', order: { status: 'paid', attention: null } })
    expect(shop.stock.available('var_m')).toBe(100 - 20 - 25)
  })

  test('is not awaited in a shop that places orders at once, where no checkout is limited', async () => {
    const address = anAddress()
    const responses = await Promise.all(
      Array.from({ length: PER_ADDRESS * 2 }, () =>
        shop.checkOut(shop.addCart({ var_m: 2 }, { checkoutMode: 'api' }).id, BUYER, from(address)),
      ),
    )
    expect(new Set(statusesOf(responses))).toEqual(new Set([200]))
  })
})
