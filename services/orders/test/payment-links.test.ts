import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HttpError } from '@storefront/service'
import { OrderPaid, OrderPlaced } from '@storefront/contracts'
import { waitFor, waitForLock } from '@storefront/tools/testing'
import { draftShop, type Page } from './draft-shop.ts'
import { payAtStripe, sessionStatus } from './payment-pages.ts'
import { createShop, usd, type Shop } from './shop.ts'

let shop: Shop
let admin: object
let drafts: ReturnType<typeof draftShop>

beforeAll(async () => {
  shop = await createShop()
  admin = shop.suite.headers.admin(['orders:read', 'orders:write'])
  drafts = draftShop(shop, admin)
})
afterAll(() => shop.stop())
beforeEach(() => {
  shop.goods.checkoutMode = 'redirect'
  shop.goods.checkoutProvider = 'stripe'
  delete shop.goods.error
  delete shop.goods.isFree
  delete shop.goods.isTaxIncluded
  delete shop.goods.discount
  shop.hooks.beforeQuote = undefined
  shop.hooks.beforeReserved = undefined
  shop.stock.set('var_m', 20)
})
afterEach(() => {
  for (const claim of shop.stock.held()) shop.stock.release(claim)
})

const openSessions = (id: string) =>
  shop.suite.sql<{ id: string }>(
    `select id from orders.payment_sessions where cart_id = $1 and status in ('creating', 'open')`,
    [id],
  )

async function sessionOf(id: string): Promise<string> {
  const [session] = await openSessions(id)
  if (!session) throw new Error('there is no open session')
  return session.id
}

const titleOf = ({ text }: Page) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const noticeOf = ({ text }: Page) => /role="alert">(.*?)</.exec(text)?.[1]

describe('the page of a payment link', () => {
  test('shows what is bought, to whom it goes and what it costs, and is for the buyer alone', async () => {
    const { path } = await drafts.sent({
      shippingAddress: { name: '<b>Ada</b>', line1: '1 Way', city: 'LA', postalCode: '1', country: 'US' },
    })
    const page = await drafts.open(path)
    expect(page.status).toBe(200)
    for (const words of [
      'Linen shirt',
      'Color: Sand, Size: M, 2\u00a0×\u00a0$40.00',
      '$80.00',
      '$6.00',
      '$3.20',
      '1 Way',
      'United States',
      'Pay $89.20',
    ]) {
      expect(page.text).toContain(words)
    }
    expect(page.text).toContain('&lt;b&gt;Ada')
    expect(page.text).not.toContain('<b>')
    expect(page.headers).toMatchObject({
      'cache-control': expect.stringContaining('no-store'),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(shop.stock.held()).toEqual([])
  })

  test('has amounts that add up to the total, and below it a tax that the prices include', async () => {
    const { path } = await drafts.sent()
    const sums = async () =>
      Array.from(
        (await drafts.open(path)).text.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)<\/td>/g),
        ([, label = '', amount = '']) => `${label} ${amount}`,
      )
    expect(await sums()).toEqual(['Subtotal $80.00', 'Shipping $6.00', 'Tax $3.20', 'Total $89.20'])
    shop.goods.isTaxIncluded = true
    expect(await sums()).toEqual(['Subtotal $80.00', 'Shipping $6.00', 'Total $86.00', 'Included tax $3.20'])
  })

  test('leads to the provider and makes one order, however often it is opened and paid', async () => {
    const { draft, path } = await drafts.sent()
    const pages = await Promise.all([1, 2, 3, 4, 5].map(() => drafts.pay(path)))
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303]))
    expect(new Set(pages.map(({ location }) => location)).size).toBe(1)
    const session = await sessionOf(draft.id)
    expect(shop.stock.held()).toHaveLength(1)
    await Promise.all([payAtStripe(shop, session, 'pi_draft'), payAtStripe(shop, session, 'pi_draft')])
    await payAtStripe(shop, session, 'pi_draft_again')
    const [order, ...others] = await drafts.ordersOf(draft.id)
    expect(others).toEqual([])
    expect(await drafts.read(draft.id)).toMatchObject({
      status: 'ordered',
      order: { id: order?.id, number: order?.number },
    })
    const again = await drafts.pay(path, '8920 USD')
    expect(again).toMatchObject({ status: 303, location: path.split('/').at(-1) })
    const shown = await drafts.open(path)
    expect(titleOf(shown)).toBe('Thank you for your order')
    expect(shown.text).toContain(order?.number)
    expect((await shop.suite.eventsOf(OrderPlaced)).filter(({ cartId }) => cartId === draft.id)).toHaveLength(1)
    expect((await shop.suite.eventsOf(OrderPaid)).filter(({ orderId }) => orderId === order?.id)).toHaveLength(1)
  })

  test('makes an order whose timeline says that it was a draft, and who created the draft', async () => {
    const { draft, path } = await drafts.sent()
    await drafts.pay(path)
    await payAtStripe(shop, await sessionOf(draft.id), 'pi_timeline')
    const [order] = await drafts.ordersOf(draft.id)
    const timeline = await shop.call('GET', `/admin/orders/${order?.id}/timeline`, undefined, admin)
    expect(timeline.body).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          kind: 'drafted',
          label: 'The order was made from a draft order.',
          actor: draft.createdBy,
          detail: { draft: draft.id },
        }),
      ]),
    })
    const shown = await shop.call('GET', `/admin/orders/${order?.id}`, undefined, admin)
    expect(shown.body).toMatchObject({ status: 'paid', email: draft.email, total: usd(8920) })
  })

  test.each(['demo', 'api'])('places the order at once in the mode %s, once', async (mode) => {
    shop.goods.checkoutMode = mode
    const { draft, path } = await drafts.sent()
    const pages = await Promise.all([1, 2, 3].map(() => drafts.pay(path)))
    for (const { status, location } of pages)
      expect({ status, location }).toEqual({ status: 303, location: path.split('/').at(-1) })
    expect(await drafts.ordersOf(draft.id)).toHaveLength(1)
    expect(titleOf(await drafts.open(path))).toBe('Thank you for your order')
  })

  test("leads to Razorpay's own page in the mode razorpay", async () => {
    shop.goods.checkoutMode = 'razorpay'
    const { draft, path } = await drafts.sent()
    const page = await drafts.pay(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('/v1/checkout/embedded"')
    expect(page.text).toContain('name="key_id" value="rzp_test_key"')
    expect(page.text).toContain(`/pay/returned?session=${await sessionOf(draft.id)}`)
    expect(page.text).not.toContain(path)
    const back = await shop.orders.app.inject({ method: 'POST', url: '/pay/returned?session=pay_1' })
    expect(back).toMatchObject({ statusCode: 303, headers: { location: '../payments/done?session=pay_1' } })
  })

  test('takes no payment for another total than the buyer has seen', async () => {
    const { path } = await drafts.sent()
    const page = await drafts.pay(path, '1 USD')
    expect(page.status).toBe(409)
    expect(noticeOf(page)).toMatch(/^The total has just changed/)
    expect(shop.stock.held()).toEqual([])
  })

  describe('takes no payment for a total that changes after the button was pressed', () => {
    let path: string
    let draftId: string
    beforeEach(async () => {
      shop.goods.isFree = true
      const sent = await drafts.sent()
      path = sent.path
      draftId = sent.draft.id
      shop.goods.discount = draftId
    })

    const expectNothingCharged = async (page: Page) => {
      expect(page.status).toBe(409)
      expect(noticeOf(page)).toMatch(/^The total has just changed/)
      expect(page.text).toContain('Pay $89.20')
      expect(await openSessions(draftId)).toEqual([])
      expect(await drafts.ordersOf(draftId)).toEqual([])
      expect(shop.stock.held()).toEqual([])
      const quotes = shop.quotes.filter(({ cartId, hold }) => cartId === draftId && hold)
      const releases = shop.released.filter((claim) => claim.startsWith(`${shop.goods.discount}.`))
      expect(quotes).not.toEqual([])
      expect(releases).toHaveLength(quotes.length)
      expect((await drafts.pay(path)).status).toBe(303)
      expect(await openSessions(draftId)).toHaveLength(1)
    }

    test('before the goods are reserved', async () => {
      shop.hooks.beforeQuote = async () => {
        if (shop.quotes.at(-1)?.hold) delete shop.goods.isFree
      }
      await expectNothingCharged(await drafts.pay(path, '0 USD'))
    })

    test('while another attempt is needed', async () => {
      shop.hooks.beforeReserved = async (claim) => {
        shop.hooks.beforeReserved = undefined
        delete shop.goods.isFree
        await shop.suite.sql(`insert into orders.claims (claim, verdict, decided_at) values ($1, 'abandoned', now())`, [
          claim,
        ])
      }
      await expectNothingCharged(await drafts.pay(path, '0 USD'))
    })
  })

  test('says that the total has changed since the link was sent', async () => {
    const { draft, path } = await drafts.sent()
    await shop.suite.sql(
      `update orders.draft_orders set quote = jsonb_set(quote::jsonb, '{total,amount}', '8000')::json where id = $1`,
      [draft.id],
    )
    expect(noticeOf(await drafts.open(path))).toContain('it was $80.00, and is $89.20 now')
  })

  test('says what is sold out, and can be paid when it is there again', async () => {
    const { draft, path } = await drafts.sent()
    shop.stock.set('var_m', 1)
    const page = await drafts.pay(path)
    expect(page.status).toBe(409)
    expect(noticeOf(page)).toBe('Only 1 left of Linen shirt, Sand, M.')
    expect(await drafts.ordersOf(draft.id)).toEqual([])
    shop.stock.set('var_m', 2)
    expect((await drafts.pay(path)).status).toBe(303)
  })

  test('says why it cannot be paid when its price is no longer known', async () => {
    const { path } = await drafts.sent()
    shop.goods.error = new HttpError('invalid_discount', 'This code has expired.')
    for (const page of [await drafts.open(path), await drafts.pay(path, '8920 USD')]) {
      expect(page.status).toBe(422)
      expect(page.text).toContain('This code has expired.')
    }
  })

  test.each([
    ['an email address', `email = ''`],
    ['a street', `shipping_address = jsonb_set(shipping_address, '{line1}', '" "')`],
  ])('sells nothing of a stored draft that lacks %s', async (_what, change) => {
    const { draft, path } = await drafts.sent()
    await shop.suite.sql(`update orders.draft_orders set ${change} where id = $1`, [draft.id])
    for (const page of [await drafts.open(path), await drafts.pay(path, '8920 USD')]) {
      expect(page.status).toBe(409)
      expect(titleOf(page)).toBe('This order cannot be paid at the moment')
      expect(page.text).toContain('Its delivery address or email address is incomplete.')
    }
    expect(shop.stock.held()).toEqual([])
  })

  test('has expired after its time, and a new link works', async () => {
    const { draft, path } = await drafts.sent()
    await shop.suite.sql(`update orders.draft_orders set expires_at = now() - interval '1 second' where id = $1`, [
      draft.id,
    ])
    for (const page of [await drafts.open(path), await drafts.pay(path, '8920 USD')]) {
      expect(page.status).toBe(410)
      expect(titleOf(page)).toBe('This link has expired')
    }
    const next = await drafts.send(draft.id)
    expect((await drafts.open(next.path)).status).toBe(200)
    expect((await drafts.open(path)).status).toBe(404)
  })

  test('says that the order was canceled, and the open page at the provider is closed', async () => {
    const { draft, path } = await drafts.sent()
    await drafts.pay(path)
    const session = await sessionOf(draft.id)
    await shop.call('DELETE', `/admin/draft-orders/${draft.id}`, undefined, admin)
    expect(await sessionStatus(shop, session)).toBe('superseded')
    await waitFor('the released goods', async () => shop.stock.held().length === 0)
    for (const page of [await drafts.open(path), await drafts.pay(path, '8920 USD')]) {
      expect(page.status).toBe(410)
      expect(titleOf(page)).toBe('This order was canceled')
    }
  })

  test('shows what the merchant has changed, and the page at the provider is another one', async () => {
    const { draft, path } = await drafts.sent()
    const first = await drafts.pay(path)
    const lines = [{ variantId: 'var_m', quantity: 1 }]
    await shop.call('PATCH', `/admin/draft-orders/${draft.id}`, { lines }, admin)
    expect((await drafts.open(path)).text).toContain('Pay $49.20')
    const second = await drafts.pay(path)
    expect(second.location).not.toBe(first.location)
    await payAtStripe(shop, await sessionOf(draft.id), 'pi_changed', 4920)
    expect(await drafts.ordersOf(draft.id)).toHaveLength(1)
  })

  test('leads neither of two windows to the page of a draft that is changed at the same moment', async () => {
    const { draft, path } = await drafts.sent()
    await drafts.pay(path)
    const session = await sessionOf(draft.id)
    await shop.suite.sql('begin')
    await shop.suite.sql(`select pg_advisory_xact_lock(hashtext('cart'), hashtext($1))`, [draft.id])
    await shop.suite.sql('update orders.draft_orders set version = version + 1 where id = $1', [draft.id])
    const windows = Promise.all([drafts.pay(path), drafts.pay(path)])
    await waitForLock(shop.suite, `hashtext('cart')`, { statements: 2 })
    await shop.suite.sql('commit')
    const token = path.split('/').at(-1)
    expect((await windows).map(({ status, location }) => [status, location])).toEqual([
      [303, token],
      [303, token],
    ])
    expect(await sessionStatus(shop, session)).toBe('superseded')
  })

  test.each([
    ['canceled', 'api', 'DELETE', undefined, 'cancelled'],
    ['canceled', 'demo', 'DELETE', undefined, 'cancelled'],
    ['changed', 'api', 'PATCH', { lines: [{ variantId: 'var_m', quantity: 7 }] }, 'sent'],
  ] as const)(
    'makes no order of a draft that is %s while the buyer orders it, in mode %s',
    async (_what, mode, method, body, status) => {
      shop.goods.checkoutMode = mode
      const { draft, path } = await drafts.sent()
      let changed: number | undefined
      shop.hooks.beforeReserved = async () => {
        shop.hooks.beforeReserved = undefined
        changed = (await shop.call(method, `/admin/draft-orders/${draft.id}`, body, admin)).status
      }
      const page = await drafts.pay(path)
      expect([changed, page.status, page.location]).toEqual([200, 303, path.split('/').at(-1)])
      expect(await drafts.ordersOf(draft.id)).toEqual([])
      expect((await drafts.read(draft.id)).status).toBe(status)
      expect(shop.stock.held()).toEqual([])
    },
  )

  test('makes no second order when a page is paid after the draft was canceled, but keeps the money accounted for', async () => {
    const { draft, path } = await drafts.sent()
    await drafts.pay(path)
    const session = await sessionOf(draft.id)
    await shop.call('DELETE', `/admin/draft-orders/${draft.id}`, undefined, admin)
    await payAtStripe(shop, session, 'pi_late')
    expect(await drafts.ordersOf(draft.id)).toHaveLength(1)
    expect(await drafts.read(draft.id)).toMatchObject({ status: 'ordered' })
  })

  test('is not found by another token, and neither is a draft by its id', async () => {
    const { draft, path } = await drafts.sent()
    for (const token of [`${path.split('/').at(-1)}x`, draft.id, 'link_', 'x'.repeat(100)]) {
      const page = await drafts.open(`/pay/${token}`)
      expect(page.status).toBe(404)
      expect(titleOf(page)).toBe('We could not find this page')
      expect((await drafts.pay(`/pay/${token}`, '8920 USD')).status).toBe(404)
    }
    expect((await shop.checkOut(draft.id)).status).toBe(404)
    await drafts.pay(path)
    await payAtStripe(shop, await sessionOf(draft.id), 'pi_token')
    // The id of the draft opens neither the draft nor its order.
    expect((await shop.checkOut(draft.id)).status).toBe(404)
  })
})
