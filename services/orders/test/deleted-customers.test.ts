import { sendRequest, type Messaging } from '@storefront/messaging'
import {
  Buyer,
  CustomerDeleted,
  CustomerVerified,
  listOf,
  newId,
  OrderFulfilled,
  PERMISSIONS,
  ReadOrderLink,
} from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '../src/access/capability.ts'
import { closeFormerAccounts } from '../src/customers/close-former-accounts.ts'
import { draftShop } from './draft-shop.ts'
import { publisher } from './events.ts'
import { pageOf, payAtStripe } from './payment-pages.ts'
import { BUYER, cookie, createShop, orderOf, errorOf, type Shop } from './shop.ts'

const NOT_FOUND = { status: 404, code: 'not_found' }

let shop: Shop
let identity: Messaging
let notifier: Messaging

beforeAll(async () => {
  shop = await createShop()
  shop.stock.set('var_m', 1000)
  identity = await shop.suite.openMessaging('identity')
  notifier = await shop.suite.openMessaging('notifier')
})
afterAll(() => shop.stop())

const publishEvent = publisher(() => ({ shop, identity }))
const as = (customerId: string) => shop.suite.headers.customer(customerId)

/**
 * An order with everything that opens it: the browser, the access token, the link of a mail, and an idempotency key.
 */
async function place(email: string, customerId?: string, more: object = {}) {
  const cart = shop.addCart({ var_m: 1 }, customerId === undefined ? {} : { customerId })
  const headers = customerId === undefined ? {} : as(customerId)
  const key = { 'idempotency-key': `key ${cart.id}`.replaceAll(' ', '-') }
  const response = await shop.checkOut(cart.id, { ...BUYER, email, ...more }, { ...headers, ...key })
  const { id, number, accessToken = '' } = orderOf(response)
  const link = await sendRequest(notifier, ReadOrderLink, { orderId: id })
  return {
    id,
    number,
    email,
    cartId: cart.id,
    browser: response.browser,
    token: accessToken,
    link: link.accessToken ?? '',
    key,
  }
}
type Placed = Awaited<ReturnType<typeof place>>

const MESSAGE = { gift_message: 'For you' }
/** A payment page of a guest. */
async function openPage(email: string): Promise<string> {
  const cart = shop.addCart({ var_m: 1 }, { checkoutMode: 'redirect', checkoutProvider: 'stripe' })
  return pageOf(await shop.checkOut(cart.id, { ...BUYER, email, ...MESSAGE })).id
}
/** Deletes the data of a guest who has an order. */
async function erase(email: string): Promise<void> {
  const owner = shop.suite.headers.adminUser('user_owner', [...PERMISSIONS])
  const { body } = await shop.call('GET', `/admin/buyers?q=${email}`, undefined, owner)
  const [buyer] = listOf(Buyer).parse(body).items
  expect((await shop.call('DELETE', `/admin/buyers/${buyer?.id}`, undefined, owner)).status).toBe(200)
}
const countMessages = async (table: string, email: string) =>
  (await shop.suite.sql(`select from orders.${table} where email = $1 and document ? 'giftMessage'`, [email])).length

const lookUp = ({ number, email }: Placed) => shop.call('POST', '/orders/lookup', { number, email })
const opens = async (path: string, headers: object = {}) =>
  (await shop.call('GET', `/orders/${path}`, undefined, headers)).status
/** The status of the response to each kind of access to an order. */
const accessTo = async (order: Placed) => ({
  browser: await opens(order.id, cookie(order.browser)),
  token: await opens(`${order.id}?token=${order.token}`),
  header: await opens(order.number, { 'x-order-token': order.token }),
  link: await opens(`${order.id}?token=${order.link}`),
  lookup: (await lookUp(order)).status,
})
const allAccess = (status: number) => ({ browser: status, token: status, header: status, link: status, lookup: status })
const capabilitiesOf = ({ id }: Placed) =>
  shop.suite.sql('select 1 from orders.order_capabilities where order_id = $1', [id])

describe('when an account is deleted', () => {
  test('its orders, and the guest orders that were its own, open for no viewer, and those of others as before', async () => {
    const own = await place('ada@gone.example', 'cus_ada')
    const guest = await place('ada@gone.example')
    const other = await place('grace@gone.example', 'cus_grace')
    expect(await accessTo(own)).toEqual(allAccess(200))
    await publishEvent(CustomerVerified, { customerId: 'cus_ada', email: 'ada@gone.example' })
    const id = newId('event')
    const at = new Date()
    await publishEvent(CustomerDeleted, { customerId: 'cus_ada' }, at, id)
    await publishEvent(CustomerDeleted, { customerId: 'cus_ada' }, at, id)
    await publishEvent(CustomerDeleted, { customerId: 'cus_ada' }, at)
    for (const order of [own, guest]) {
      expect(await accessTo(order)).toEqual(allAccess(404))
      expect(errorOf(await lookUp(order))).toMatchObject(NOT_FOUND)
      expect(await capabilitiesOf(order)).toEqual([])
      expect(await sendRequest(notifier, ReadOrderLink, { orderId: order.id })).toEqual({})
      const again = await shop.checkOut(order.cartId, BUYER, cookie(order.browser))
      expect(errorOf(again)).toMatchObject(NOT_FOUND)
      // A gateway may accept a session for a moment after its account was deleted.
      expect(await opens(order.id, as('cus_ada'))).toBe(404)
    }
    expect(await accessTo(other)).toEqual(allAccess(200))
    const later = await place('ada@gone.example')
    expect(await accessTo(later)).toEqual(allAccess(200))
  })

  test('the gift messages of its orders, and of guest orders that were its own, are deleted', async () => {
    const own = await place('gift@gone.example', 'cus_giver', MESSAGE)
    const guest = await place('gift@gone.example', undefined, MESSAGE)
    const other = await place('grace@gone.example', 'cus_grace', MESSAGE)
    await payAtStripe(shop, await openPage('gift@gone.example'), 'pi_gift', 4920)
    await publishEvent(CustomerVerified, { customerId: 'cus_giver', email: 'gift@gone.example' })
    await publishEvent(CustomerDeleted, { customerId: 'cus_giver' })
    const kept = await shop.suite.sql<{ id: string }>(
      `select id from orders.orders where id = any($1) and document->>'giftMessage' = 'For you'`,
      [[own.id, guest.id, other.id]],
    )
    expect(kept).toEqual([{ id: other.id }])
    expect(await countMessages('payment_sessions', 'gift@gone.example')).toBe(0)
  })

  test('the gift messages of guest checkouts with its verified address are deleted, but not of later ones', async () => {
    const email = 'pages@gone.example'
    await openPage(email)
    await publishEvent(CustomerDeleted, { customerId: 'cus_pages', email })
    expect(await countMessages('payment_sessions', email)).toBe(0)
    await openPage(email)
    expect(await countMessages('payment_sessions', email)).toBe(1)
  })

  test('the gift messages of an erased guest are deleted, also of checkouts that are paid later', async () => {
    const email = 'erased@gone.example'
    const [paid, unpaid] = [await openPage(email), await openPage(email)]
    await payAtStripe(shop, paid, 'pi_before', 4920)
    expect([await countMessages('payment_sessions', email), await countMessages('orders', email)]).toEqual([2, 1])
    await erase(email)
    expect(await payAtStripe(shop, unpaid, 'pi_after', 4920)).toMatchObject({ kind: 'order' })
    expect([await countMessages('payment_sessions', email), await countMessages('orders', email)]).toEqual([0, 0])
  })

  test.each(['before', 'while'])(
    'a guest who is erased %s the merchant places the order stays erased',
    async (when) => {
      const email = `${when}@gone.example`
      const [paid, own, others] = [await openPage(email), await openPage(email), await openPage(email)]
      await payAtStripe(shop, paid, `pi_erased_${when}`, 4920)
      const eraseOnce = async () => {
        shop.hooks.beforeQuote = undefined
        await erase(email)
      }
      if (when === 'before') await eraseOnce()
      else shop.hooks.beforeQuote = eraseOnce
      const admin = shop.suite.headers.admin(['orders:write'])
      const orderIds = []
      const grace = { email: `grace.${when}@gone.example`, shipping_address: BUYER.shipping_address }
      for (const [sessionId, body] of [
        [own, {}],
        [others, grace],
      ] as const) {
        const find = 'select cart_id from orders.payment_sessions where id = $1'
        const [session] = await shop.suite.sql<{ cart_id: string }>(find, [sessionId])
        const placement = { ...body, cart_id: session?.cart_id, payment: { status: 'captured' } }
        orderIds.push(orderOf(await shop.call('POST', '/admin/orders', placement, admin)).id)
      }
      const orders = await shop.suite.sql(
        `select o.email, coalesce(o.customer_id = s.customer_id, false) as "isClosed", o.document->>'giftMessage' as message
       from orders.orders o join orders.payment_sessions s on s.id = $2 where o.id = any($1) order by o.placed_at`,
        [orderIds, own],
      )
      expect(orders).toEqual([
        { email, isClosed: true, message: null },
        { email: grace.email, isClosed: false, message: null },
      ])
      expect(await shop.suite.sql('select from orders.order_capabilities where order_id = $1', [orderIds[0]])).toEqual(
        [],
      )
    },
  )

  test('a stored response of an idempotency key is not sent again', async () => {
    const own = await place('key@gone.example', 'cus_key')
    const guest = await place('key@gone.example')
    const repeat = ({ cartId, key, browser }: Placed, headers: object) =>
      shop.checkOut(cartId, { ...BUYER, email: 'key@gone.example' }, { ...cookie(browser), ...key, ...headers })
    expect((await repeat(own, as('cus_key'))).status).toBe(200)
    expect((await repeat(guest, {})).status).toBe(200)
    await publishEvent(CustomerVerified, { customerId: 'cus_key', email: 'key@gone.example' })
    await publishEvent(CustomerDeleted, { customerId: 'cus_key' })
    expect(errorOf(await repeat(own, as('cus_key')))).toMatchObject(NOT_FOUND)
    expect(errorOf(await repeat(guest, {}))).toMatchObject(NOT_FOUND)
  })

  test('a capability that is granted while the event is being consumed, or after it, opens nothing', async () => {
    const order = await place('race@gone.example', 'cus_race')
    const { context } = shop.orders
    const secret = 'a'.repeat(27)
    await Promise.all([
      publishEvent(CustomerDeleted, { customerId: 'cus_race' }),
      ...Array.from({ length: 10 }, () => grant(context.db, order.id, [secret])),
      ...Array.from({ length: 10 }, () => lookUp(order)),
    ])
    await grant(context.db, order.id, [secret, order.token])
    expect(await opens(`${order.id}?token=${secret}`)).toBe(404)
    expect(await accessTo(order)).toEqual(allAccess(404))
    // A checkout that was running when the account was deleted.
    const late = await place('race@gone.example', 'cus_race')
    expect(await accessTo(late)).toEqual(allAccess(404))
  })

  test('the guest orders are closed as well when the verification of the address arrives after the deletion', async () => {
    const guest = await place('late@gone.example')
    const proved = new Date()
    await publishEvent(CustomerDeleted, { customerId: 'cus_late' }, new Date(proved.getTime() + 1))
    expect(await accessTo(guest)).toEqual(allAccess(200))
    await publishEvent(CustomerVerified, { customerId: 'cus_late', email: 'late@gone.example' }, proved)
    expect(await accessTo(guest)).toEqual(allAccess(404))
  })

  test('the orders stay closed when the owner of the guest orders is recorded permanently', async () => {
    const guest = await place('settled@gone.example')
    const own = await place('settled@gone.example', 'cus_settled')
    await publishEvent(CustomerVerified, { customerId: 'cus_settled', email: 'settled@gone.example' })
    await publishEvent(CustomerDeleted, { customerId: 'cus_settled' })
    await closeFormerAccounts(shop.orders.context.db, new Date(Date.now() + 60_000))
    const emails = await shop.suite.sql(`select 1 from orders.customer_emails where customer_id = 'cus_settled'`)
    expect(emails).toEqual([])
    for (const order of [guest, own]) expect(await accessTo(order)).toEqual(allAccess(404))
  })

  test('an event of its guest order names the deleted customer, so that no mail is sent', async () => {
    const guest = await place('mail@gone.example')
    await publishEvent(CustomerVerified, { customerId: 'cus_mail', email: 'mail@gone.example' })
    await publishEvent(CustomerDeleted, { customerId: 'cus_mail' })
    const admin = shop.suite.headers.admin(['orders:read', 'orders:write'])
    for (const status of ['paid', 'fulfilled']) {
      const changed = await shop.call('PATCH', `/admin/orders/${guest.id}`, { status }, admin)
      expect(changed.status).toBe(200)
    }
    const events = await waitFor('the event', async () => {
      const found = (await shop.suite.eventsOf(OrderFulfilled)).filter(({ orderId }) => orderId === guest.id)
      return found.length > 0 ? found : undefined
    })
    expect(events.map(({ customerId }) => customerId)).toEqual(['cus_mail'])
    expect((await shop.call('GET', `/admin/orders/${guest.id}`, undefined, admin)).status).toBe(200)
  })
})

test('draft orders for an address that the deleted customer has verified are deleted', async () => {
  const drafts = draftShop(shop, shop.suite.headers.admin(['orders:read', 'orders:write']))
  const [gone, kept] = [await drafts.sent({ email: 'Leaves@mail.example' }), await drafts.sent()]
  await publishEvent(CustomerVerified, { customerId: 'cus_leaves', email: 'leaves@mail.example' })
  await publishEvent(CustomerDeleted, { customerId: 'cus_leaves' })
  expect((await drafts.open(gone.path)).status).toBe(404)
  expect((await drafts.open(kept.path)).status).toBe(200)
})
