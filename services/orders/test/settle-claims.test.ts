import { sendRequest } from '@storefront/messaging'
import { OrderPlaced, SettleClaims } from '@storefront/contracts'
import { amount, waitFor } from '@storefront/tools/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pageOf } from './payment-pages.ts'
import { createShop, orderOf, errorOf, type Shop } from './shop.ts'

/** How many carts race with the decision on their claim: each is a race of its own. */
const RACES = amount({ quick: 15, long: 30 })

let shop: Shop

beforeAll(async () => {
  shop = await createShop()
})
afterAll(() => shop.stop())

beforeEach(() => shop.stock.set('var_m', 10))
afterEach(() => shop.reset())

const settle = async (...claims: string[]) => {
  const { verdicts } = await sendRequest(shop.catalog, SettleClaims, { claims })
  return Object.fromEntries(verdicts.map(({ claim, verdict }) => [claim, verdict]))
}
const claimOf = async (orderId: string) => {
  const [row] = await shop.suite.sql<{ claim: string }>('select claim from orders.orders where id = $1', [orderId])
  return row?.claim ?? ''
}

describe('the decision on a claim', () => {
  test('is ordered when an order uses it, however often it is requested', async () => {
    const claim = await claimOf(orderOf(await shop.checkOut(shop.addCart().id)).id)
    for (let time = 1; time <= 3; time++) expect(await settle(claim)).toEqual({ [claim]: 'ordered' })
  })

  test('is abandoned for an unknown claim, and each of many gets its own', async () => {
    const claim = await claimOf(orderOf(await shop.checkOut(shop.addCart().id)).id)
    const unknown = Array.from({ length: 200 }, (_, index) => `res_unknown.${index}`)
    const verdicts = await settle(...unknown, claim)
    expect(verdicts).toEqual({ ...Object.fromEntries(unknown.map((each) => [each, 'abandoned'])), [claim]: 'ordered' })
    expect(await settle(...unknown)).toEqual(Object.fromEntries(unknown.map((each) => [each, 'abandoned'])))
  })

  test('is made once for each claim, even if a claim is named twice', async () => {
    expect(await settle('res_twice.1', 'res_twice.1')).toEqual({ 'res_twice.1': 'abandoned' })
  })
})

describe('a claim of an open payment page', () => {
  const redirect = { checkoutMode: 'redirect', checkoutProvider: 'stripe' }
  const sessionOf = async (id: string) => {
    const [row] = await shop.suite.sql<{ claim: string; discount_claim: string }>(
      'select claim, discount_claim from orders.payment_sessions where id = $1',
      [id],
    )
    return row ?? { claim: '', discount_claim: '' }
  }

  test('is not decided before the page ends', async () => {
    const { id } = pageOf(await shop.checkOut(shop.addCart({ var_m: 1 }, { ...redirect, discount: 'use_page' }).id))
    const { claim, discount_claim: discountClaim } = await sessionOf(id)
    expect(await settle(claim, discountClaim, 'res_else.1')).toEqual({ 'res_else.1': 'abandoned' })
    await shop.suite.sql("update orders.payment_sessions set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ])
    expect(await settle(claim, discountClaim)).toEqual({ [claim]: 'abandoned', [discountClaim]: 'abandoned' })
  })

  test('is either not decided, or the page is not opened, when both happen at once', async () => {
    shop.stock.set('var_m', 1000)
    const verdicts = new Map<string, string | undefined>()
    const requests: Promise<unknown>[] = []
    shop.hooks.beforeReserved = async (claim) => {
      if (!claim.endsWith('.1')) return
      // Not awaited: the page is opened meanwhile.
      const request = waitFor('the verdict', () => settle(claim))
      requests.push(request.then((settled) => verdicts.set(claim, settled[claim])))
    }
    const carts = Array.from({ length: RACES }, () => shop.addCart({ var_m: 1 }, redirect))
    await Promise.all(carts.map(({ id }) => waitFor('the page', async () => (await shop.checkOut(id)).status === 200)))
    await Promise.all(requests)
    const pages = await shop.suite.sql<{ claim: string }>(
      "select claim from orders.payment_sessions where cart_id = any($1) and status = 'open'",
      [carts.map(({ id }) => id)],
    )
    expect(pages).toHaveLength(RACES)
    for (const { claim } of pages) expect(verdicts.get(claim), claim).toBeUndefined()
    expect(new Set(shop.stock.held())).toEqual(new Set(pages.map(({ claim }) => claim)))
  })
})

describe('a claim that was abandoned', () => {
  test('never becomes an order: a running checkout takes a new one', async () => {
    const claims: string[] = []
    const verdicts: object[] = []
    shop.hooks.beforeReserved = async (claim) => {
      if (claims.push(claim) === 1) verdicts.push(await settle(claim))
    }
    const order = orderOf(await shop.checkOut(shop.addCart({ var_m: 4 }).id))
    const [first = '', second = ''] = claims
    expect(claims).toEqual([first, first.replace(/1$/, '2')])
    expect(verdicts).toEqual([{ [first]: 'abandoned' }])
    expect(await claimOf(order.id)).toBe(second)
    expect(shop.released).toContain(first)
    expect(shop.stock.held()).toEqual([second])
    expect(shop.stock.available('var_m')).toBe(6)
    expect(await settle(first, second)).toEqual({ [first]: 'abandoned', [second]: 'ordered' })
  })

  test('repeatedly leaves no order and no goods reserved, and the buyer may try again', async () => {
    shop.hooks.beforeReserved = async (claim) => void (await settle(claim))
    const { id } = shop.addCart({ var_m: 4 })
    const response = await shop.checkOut(id)
    expect(errorOf(response)).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect(response.headers['retry-after']).toBe('1')
    expect(await shop.suite.sql('select from orders.orders where cart_id = $1', [id])).toEqual([])
    expect(shop.stock.held()).toEqual([])
    shop.hooks.beforeReserved = undefined
    expect(orderOf(await shop.checkOut(id)).status).toBe('placed')
    expect(shop.stock.available('var_m')).toBe(6)
  })
})

describe('a concurrent checkout and deadline', () => {
  test('end in an order or in an abandoned claim, never in both', async () => {
    shop.stock.set('var_m', 1000)
    const carts = Array.from({ length: RACES }, () => shop.addCart())
    const firstClaims: string[] = []
    const requests: Promise<unknown>[] = []
    shop.hooks.beforeReserved = async (claim) => {
      if (!claim.endsWith('.1')) return
      firstClaims.push(claim)
      // Many at once: on a busy machine a request or a checkout may time out, and is retried.
      requests.push(waitFor('the verdict', () => settle(claim)))
    }
    const bought = (id: string) => waitFor('the order', async () => orderOf(await shop.checkOut(id)))
    const orders = await Promise.all(carts.map(({ id }) => bought(id)))
    await Promise.all(requests)
    const ids = orders.map(({ id }) => id)
    const rows = await shop.suite.sql<{ claim: string }>('select claim from orders.orders where id = any($1)', [ids])
    const ordered = new Set(rows.map(({ claim }) => claim))
    expect(ordered.size).toBe(RACES)
    expect(new Set(firstClaims).size).toBe(RACES)
    const verdicts = await settle(...firstClaims)
    for (const claim of firstClaims) expect(verdicts[claim]).toBe(ordered.has(claim) ? 'ordered' : 'abandoned')
    expect(new Set(shop.stock.held())).toEqual(ordered)
    const published = (await shop.suite.eventsOf(OrderPlaced)).map(({ reservation }) => reservation?.claim ?? '')
    expect(published.filter((claim) => verdicts[claim] === 'abandoned')).toEqual([])
  })
})
