import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest } from '@storefront/messaging'
import { SettleClaims } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { pageOf, payAtStripe, sessionStatus } from './payment-pages.ts'
import { BUYER, createShop, orderOf, type TestResponse, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 10))
afterEach(() => shop.reset())

const redirect = { checkoutMode: 'redirect', checkoutProvider: 'stripe' }
const ada = () => shop.suite.headers.customer('cus_ada')
const statusOf = (sessionId: string) => sessionStatus(shop, sessionId)
const waitingOf = (cartId: string) =>
  shop.suite.sql(`select from orders.payment_sessions where cart_id = $1 and status in ('creating', 'open')`, [cartId])
const pay = (sessionId: string, reference: string, amount = 8920) => payAtStripe(shop, sessionId, reference, amount)
const verdictOf = async (claim: string) => {
  const [row] = await shop.suite.sql<{ verdict: string }>('select verdict from orders.claims where claim = $1', [claim])
  return row?.verdict
}
const claimOf = async (table: 'orders' | 'payment_sessions', id: string) => {
  const [row] = await shop.suite.sql<{ claim: string }>(`select claim from orders.${table} where id = $1`, [id])
  return row?.claim ?? ''
}
const refundsOf = (orderId: string) =>
  shop.suite.sql('select payment_reference from orders.refunds where order_id = $1 and of_duplicate', [orderId])

describe('a cart with an open payment page', () => {
  test.each(['demo', 'api'])('has no open page once it is ordered without a page in the mode %s', async (mode) => {
    const cart = shop.addCart({ var_m: 2 }, { ...redirect, discount: `use_${mode}` })
    const page = pageOf(await shop.checkOut(cart.id))
    cart.checkoutMode = mode
    const order = orderOf(await shop.checkOut(cart.id))
    expect(await statusOf(page.id)).toBe('superseded')
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${page.id}`])
    // Both used the same hold: it belongs to the order.
    expect(await verdictOf(await claimOf('orders', order.id))).toBe('ordered')
    expect(await verdictOf(`use_${mode}.1`)).toBe('ordered')
    expect(shop.stock.available('var_m')).toBe(8)
    expect(shop.released).not.toContain(await claimOf('orders', order.id))
  })

  test('releases its goods when it is ordered with other lines', async () => {
    const cart = shop.addCart({ var_m: 3 }, redirect)
    const page = pageOf(await shop.checkOut(cart.id))
    cart.checkoutMode = 'api'
    cart.lines = shop.addCart({ var_m: 1 }).lines
    orderOf(await shop.checkOut(cart.id))
    expect(await verdictOf(await claimOf('payment_sessions', page.id))).toBe('abandoned')
    expect(shop.stock.available('var_m')).toBe(9)
  })

  test('is not short of the goods that the page holds when it is ordered with fewer', async () => {
    shop.stock.set('var_m', 2)
    const cart = shop.addCart({ var_m: 2 }, redirect)
    const page = pageOf(await shop.checkOut(cart.id))
    cart.checkoutMode = 'api'
    cart.lines = shop.addCart({ var_m: 1 }).lines
    const order = orderOf(await shop.checkOut(cart.id))
    expect(await statusOf(page.id)).toBe('superseded')
    expect(await verdictOf(await claimOf('orders', order.id))).toBe('ordered')
    expect(shop.stock.available('var_m')).toBe(1)
  })

  test('gets no page when it is ordered while its goods are being reserved', async () => {
    const cart = shop.addCart({ var_m: 2 }, redirect)
    let bought: Promise<TestResponse> | undefined
    shop.hooks.beforeReserved = async () => {
      if (bought) return
      // This request read the mode before the merchant changed it.
      cart.checkoutMode = 'api'
      bought = shop.checkOut(cart.id)
      await bought
    }
    const response = await shop.checkOut(cart.id)
    const order = orderOf(await (bought ?? response))
    expect(orderOf(response).id).toBe(order.id)
    expect(await waitingOf(cart.id)).toEqual([])
    expect(shop.providers.stripe.opened).toEqual([])
    expect(shop.stock.available('var_m')).toBe(8)
  })

  test('in ten concurrent requests of both kinds becomes one order, and no page stays open', async () => {
    const carts = Array.from({ length: 5 }, () => shop.addCart({ var_m: 1 }, redirect))
    for (const cart of carts) {
      const requests = Array.from({ length: 10 }, (_, index) => {
        cart.checkoutMode = index % 2 === 0 ? 'redirect' : 'api'
        return shop.checkOut(cart.id)
      })
      shop.hooks.beforeReserved = async () => {
        cart.checkoutMode = cart.checkoutMode === 'api' ? 'redirect' : 'api'
      }
      await Promise.all(requests)
      expect(await waitingOf(cart.id)).toEqual([])
      expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [cart.id])).toHaveLength(1)
    }
    await waitFor('the goods of each, once', async () => shop.stock.available('var_m') === 5)
  })
})

describe("a guest's cart at a payment page that was merged into a customer's", () => {
  const merged = async (mode: object) => {
    const guest = shop.addCart({ var_m: 2 }, redirect)
    const page = pageOf(await shop.checkOut(guest.id))
    const own = shop.addCart({ var_m: 2 }, { ...mode, customerId: 'cus_ada', mergedCartIds: [guest.id] })
    return { guest, page, own }
  }

  test('has no open page when that cart is ordered at once, and a payment that still arrives is refunded', async () => {
    const { guest, page, own } = await merged({ checkoutMode: 'api' })
    const order = orderOf(await shop.checkOut(own.id, BUYER, ada()))
    expect(await statusOf(page.id)).toBe('superseded')
    expect(shop.providers.stripe.closed).toEqual([`stripe_of_${page.id}`])
    expect(shop.stock.available('var_m')).toBe(8)
    // The buyer pays twice at the page that could not be closed: the first payment pays the order, which waited for it,
    // and the second is refunded.
    await pay(page.id, 'pi_merged_first')
    await pay(page.id, 'pi_merged_second')
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [guest.id])).toEqual([])
    expect(await refundsOf(order.id)).toEqual([{ payment_reference: 'pi_merged_second' }])
  })

  test('has no open page once that cart gets a page, whose payment then makes the only order', async () => {
    const { guest, page, own } = await merged(redirect)
    const second = pageOf(await shop.checkOut(own.id, BUYER, ada()))
    expect(await statusOf(page.id)).toBe('superseded')
    await pay(second.id, 'pi_own')
    const late = await pay(page.id, 'pi_guest')
    expect(late).toMatchObject({ kind: 'surplus', order: { cartId: own.id } })
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [guest.id])).toEqual([])
  })

  test("and was ordered before stays the guest's order", async () => {
    const { guest, page, own } = await merged({ checkoutMode: 'api' })
    await pay(page.id, 'pi_before')
    const order = orderOf(await shop.checkOut(own.id, BUYER, ada()))
    const again = await pay(page.id, 'pi_before')
    expect(again).toMatchObject({ kind: 'order', order: { cartId: guest.id, status: 'paid' } })
    expect(order.status).toBe('placed')
    expect(await refundsOf(order.id)).toEqual([])
  })
})

describe('goods that were released', () => {
  test('before the page is opened are reserved again', async () => {
    const cart = shop.addCart({ var_m: 4 }, redirect)
    const claims: string[] = []
    shop.hooks.beforeReserved = async (claim) => {
      if (claims.push(claim) === 1) await sendRequest(shop.catalog, SettleClaims, { claims: [claim] })
    }
    const page = pageOf(await shop.checkOut(cart.id))
    const [first = '', second = ''] = claims
    expect(await verdictOf(first)).toBe('abandoned')
    expect(await claimOf('payment_sessions', page.id)).toBe(second)
    expect(shop.stock.held()).toEqual([second])
  })

  test('with a discount redemption leave no goods reserved without an order', async () => {
    const cart = shop.addCart({ var_m: 4 }, { checkoutMode: 'api', discount: 'use_gone' })
    shop.hooks.beforeReserved = async () =>
      void (await sendRequest(shop.catalog, SettleClaims, { claims: ['use_gone.1'] }))
    const order = orderOf(await shop.checkOut(cart.id))
    const claim = await claimOf('orders', order.id)
    const rows = await shop.suite.sql<{ claim: string }>(
      `select claim from orders.claims where verdict = 'ordered' and (claim like 'use_gone.%' or claim like $1)`,
      [`${claim.split('.')[0]}.%`],
    )
    expect(rows.map((row) => row.claim).toSorted()).toEqual([claim, 'use_gone.2'].toSorted())
    expect(shop.stock.held()).toEqual([claim])
  })
})
