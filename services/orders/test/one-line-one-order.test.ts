import { amount } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pageOf, payAtStripe, sessionStatus } from './payment-pages.ts'
import { BUYER, cookie, createShop, orderOf, errorOf, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 10))
afterEach(() => shop.reset())

const redirect = { checkoutMode: 'redirect', checkoutProvider: 'stripe' }
const CONFLICT = { status: 409, code: 'conflict' }
const ada = () => shop.suite.headers.customer('cus_ada')
const pay = (sessionId: string, reference: string, amount = 8920) => payAtStripe(shop, sessionId, reference, amount)
const statusOf = (sessionId: string) => sessionStatus(shop, sessionId)
const ordersOf = (cartId: string) => shop.suite.sql('select id from orders.orders where cart_id = $1', [cartId])
const refundsOf = (orderId: string) =>
  shop.suite.sql('select payment_reference, amount_minor::int from orders.refunds where order_id = $1', [orderId])
const stateOf = async (orderId: string) => {
  const [row] = await shop.suite.sql<{ status: string; attention: string | null }>(
    'select status, attention from orders.orders where id = $1',
    [orderId],
  )
  return row
}

/**
 * A guest's cart, and the customer's cart that it was merged into a moment after the guest's checkout had its price.
 * The line has moved unchanged, or was merged into one of the customer's own.
 */
function mergedCarts(kind: 'moved' | 'joined', mode: object = { checkoutMode: 'api' }) {
  const guest = shop.addCart({ var_m: 2 }, mode)
  const own = shop.addCart({ var_m: 2 }, { ...mode, customerId: 'cus_ada', mergedCartIds: [guest.id] })
  if (kind === 'moved') own.lines = guest.lines
  else own.formerLineIds = guest.lines.map(({ id }) => id)
  return { guest, own }
}

/** Runs while the next checkout has its goods reserved and no order yet. */
function whileHeld<Result>(work: () => Promise<Result>): () => Result | undefined {
  let result: Result | undefined
  shop.hooks.beforeReserved = async () => {
    shop.hooks.beforeReserved = undefined
    result = await work()
  }
  return () => result
}

describe.each(['moved', 'joined'] as const)('a line of a guest’s cart that has %s into a customer’s', (kind) => {
  test('belongs to the customer when the customer’s checkout is first, and the guest’s checkout does not get that order', async () => {
    const { guest, own } = mergedCarts(kind)
    const first = whileHeld(() => shop.checkOut(own.id, BUYER, ada()))
    const response = await shop.checkOut(guest.id)
    const order = orderOf(first() ?? response)
    expect(errorOf(response)).toMatchObject(CONFLICT)
    expect(await ordersOf(guest.id)).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
    const seen = await shop.call('GET', `/orders/${order.id}`, undefined, cookie(response.browser))
    expect(seen.status).toBe(404)
  })

  test('belongs to the guest when the guest’s checkout is first, and nothing stays reserved for the customer’s', async () => {
    const { guest, own } = mergedCarts(kind)
    const first = whileHeld(() => shop.checkOut(guest.id))
    const response = await shop.checkOut(own.id, BUYER, ada())
    orderOf(first() ?? response)
    expect(errorOf(response)).toMatchObject(CONFLICT)
    expect(await ordersOf(own.id)).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('is not sold again by a merchant', async () => {
    const { guest, own } = mergedCarts(kind)
    orderOf(await shop.checkOut(guest.id))
    const payment = { provider: 'terminal', status: 'captured', reference: `till_${kind}` }
    const response = await shop.call(
      'POST',
      '/admin/orders',
      { cart_id: own.id, email: BUYER.email, shipping_address: BUYER.shipping_address, payment },
      shop.suite.headers.admin(),
    )
    expect(errorOf(response)).toMatchObject(CONFLICT)
    expect(await ordersOf(own.id)).toEqual([])
    expect(await shop.suite.sql(`select from orders.payments where reference = $1`, [payment.reference])).toEqual([])
  })

  test('gets no payment page when it was ordered before', async () => {
    const { guest, own } = mergedCarts(kind, redirect)
    guest.checkoutMode = 'api'
    orderOf(await shop.checkOut(guest.id))
    expect(errorOf(await shop.checkOut(own.id, BUYER, ada()))).toMatchObject(CONFLICT)
    expect(shop.providers.stripe.opened).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('is removed from the customer’s payment page when the guest’s checkout orders it, and a late payment is refunded', async () => {
    const { guest, own } = mergedCarts(kind, redirect)
    const page = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    guest.checkoutMode = 'api'
    const order = orderOf(await shop.checkOut(guest.id))
    expect(await statusOf(page.id)).toBe('superseded')
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${page.id}`])
    expect(shop.stock.available('var_m')).toBe(8)

    const reference = `pi_late_${kind}`
    expect(await pay(page.id, reference)).toMatchObject({ kind: 'surplus', order: { id: order.id } })
    expect(await ordersOf(own.id)).toEqual([])
    expect(await refundsOf(order.id)).toEqual([{ payment_reference: reference, amount_minor: 8920 }])
    // It has not paid the guest's order, which a person must look at.
    expect(await stateOf(order.id)).toEqual({ status: 'placed', attention: 'refund_due' })
    // The same event again changes nothing.
    expect(await pay(page.id, reference)).toMatchObject({ kind: 'surplus', order: { id: order.id } })
    expect(await refundsOf(order.id)).toHaveLength(1)
    expect(await stateOf(order.id)).toEqual({ status: 'placed', attention: 'refund_due' })
  })

  test('is in one order when both payment pages are paid at once, and the other payment is refunded', async () => {
    const { guest, own } = mergedCarts(kind, redirect)
    const ownPage = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    const guestPage = pageOf(await shop.checkOut(guest.id))
    await Promise.all([pay(ownPage.id, `pi_own_${kind}`), pay(guestPage.id, `pi_guest_${kind}`)])
    const orders = [...(await ordersOf(guest.id)), ...(await ordersOf(own.id))]
    expect(orders).toHaveLength(1)
    const [row] = await shop.suite.sql<{ id: string }>(
      'select order_id as id from orders.ordered_lines where line_id = $1',
      [guest.lines[0]?.id],
    )
    expect(orders).toEqual([{ id: row?.id }])
    expect(await refundsOf(row?.id ?? '')).toHaveLength(1)
    expect(await stateOf(row?.id ?? '')).toEqual({ status: 'paid', attention: 'refund_due' })
  })
})

describe('a discount code that a guest’s cart has brought into a customer’s, which keeps none of its lines', () => {
  /** The customer has removed the guest's line. Cart lets both carts hold a redemption until it knows of an order. */
  function cartsWithCode(name: string, mode: object = { checkoutMode: 'api' }) {
    const guest = shop.addCart({ var_m: 2 }, { ...mode, discount: `use_guest_${name}` })
    const more = { discount: `use_own_${name}`, customerId: 'cus_ada', mergedCartIds: [guest.id] }
    return { guest, own: shop.addCart({ var_m: 2 }, { ...mode, ...more }) }
  }
  const cartsOrderedWith = (name: string) =>
    shop.suite.sql('select cart_id as id from orders.orders where discount_claim like $1', [`use_%_${name}.%`])

  test('is in the customer’s order alone when the customer’s checkout is first', async () => {
    const { guest, own } = cartsWithCode('own_first')
    const first = whileHeld(() => shop.checkOut(own.id, BUYER, ada()))
    const response = await shop.checkOut(guest.id)
    orderOf(first() ?? response)
    expect(errorOf(response)).toMatchObject(CONFLICT)
    expect(await cartsOrderedWith('own_first')).toEqual([{ id: own.id }])
    expect(await ordersOf(guest.id)).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('is in the guest’s order alone when the guest’s checkout is first, and the customer’s cart is ordered without it', async () => {
    const { guest, own } = cartsWithCode('guest_first')
    const first = whileHeld(() => shop.checkOut(guest.id))
    const response = await shop.checkOut(own.id, BUYER, ada())
    orderOf(first() ?? response)
    expect(errorOf(response)).toMatchObject(CONFLICT)
    expect(shop.stock.available('var_m')).toBe(8)
    delete own.discount
    orderOf(await shop.checkOut(own.id, BUYER, ada()))
    expect(await cartsOrderedWith('guest_first')).toEqual([{ id: guest.id }])
    expect(shop.stock.available('var_m')).toBe(6)
  })

  test('gets the customer’s cart no payment page when the guest’s is ordered', async () => {
    const { guest, own } = cartsWithCode('page', redirect)
    guest.checkoutMode = 'api'
    orderOf(await shop.checkOut(guest.id))
    expect(errorOf(await shop.checkOut(own.id, BUYER, ada()))).toMatchObject(CONFLICT)
    expect(shop.providers.stripe.opened).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('is at the payment page of the newer checkout only, whichever cart that is of', async () => {
    const { guest, own } = cartsWithCode('pages', redirect)
    const first = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    const second = pageOf(await shop.checkOut(guest.id))
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['superseded', 'open'])
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${first.id}`])
    expect(shop.released).toContain('use_own_pages.1')
    const third = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    expect([await statusOf(second.id), await statusOf(third.id)]).toEqual(['superseded', 'open'])
    expect(shop.released).toContain('use_guest_pages.1')
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('leaves a payment page without a code open', async () => {
    const { guest, own } = cartsWithCode('plain', redirect)
    delete own.discount
    const page = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    pageOf(await shop.checkOut(guest.id))
    expect(await statusOf(page.id)).toBe('open')
  })

  test('closes the customer’s payment page when the guest’s cart is ordered', async () => {
    const { guest, own } = cartsWithCode('closed', redirect)
    const page = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    guest.checkoutMode = 'api'
    orderOf(await shop.checkOut(guest.id))
    expect(await statusOf(page.id)).toBe('superseded')
    expect(await cartsOrderedWith('closed')).toEqual([{ id: guest.id }])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('is redeemed once when both payment pages are paid, and both orders are kept', async () => {
    const { guest, own } = cartsWithCode('paid', redirect)
    const ownPage = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    const guestPage = pageOf(await shop.checkOut(guest.id))
    for (const [page, reference] of [
      [guestPage, 'pi_guest_code'],
      [ownPage, 'pi_own_code'],
    ] as const) {
      expect(await pay(page.id, reference)).toMatchObject({ kind: 'order', order: { status: 'paid' } })
    }
    expect(await cartsOrderedWith('paid')).toEqual([{ id: guest.id }])
    expect(await ordersOf(own.id)).toHaveLength(1)
  })

  test('is not redeemed again by a merchant, unless the money was taken', async () => {
    const { guest, own } = cartsWithCode('merchant')
    orderOf(await shop.checkOut(guest.id))
    const place = (payment?: object) =>
      shop.call('POST', '/admin/orders', { ...BUYER, cart_id: own.id, payment }, shop.suite.headers.admin())
    const expected = { provider: 'terminal', status: 'authorized', reference: 'till_code' }
    for (const payment of [undefined, expected]) expect(errorOf(await place(payment))).toMatchObject(CONFLICT)
    expect(await ordersOf(own.id)).toEqual([])
    expect(shop.released).toContain('use_own_merchant.1')
    expect(shop.stock.available('var_m')).toBe(8)

    orderOf(await place({ ...expected, status: 'captured' }))
    expect(await ordersOf(own.id)).toHaveLength(1)
    expect(shop.stock.available('var_m')).toBe(6)
  })
})

test('the database itself keeps a line out of a second order', async () => {
  const cart = shop.addCart({ var_m: 1 })
  orderOf(await shop.checkOut(cart.id))
  const other = orderOf(await shop.checkOut(shop.addCart({ var_m: 1 }).id))
  await expect(
    shop.suite.sql('insert into orders.ordered_lines (line_id, order_id) values ($1, $2)', [
      cart.lines[0]?.id,
      other.id,
    ]),
  ).rejects.toThrow('ordered_lines_pkey')
})

test('guest and customer who check out concurrently in many rounds order each line once', async () => {
  shop.stock.set('var_m', 1000)
  const rounds = amount({ quick: 12, long: 25 })
  for (let round = 0; round < rounds; round++) {
    const { guest, own } = mergedCarts(round % 2 === 0 ? 'moved' : 'joined')
    const responses = await Promise.all([shop.checkOut(guest.id), shop.checkOut(own.id, BUYER, ada())])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    // Not found, when the order of the other cart existed before this checkout began.
    expect([404, 409]).toContain(responses.find(({ status }) => status !== 200)?.status)
  }
  expect(shop.stock.available('var_m')).toBe(1000 - rounds * 2)
})
