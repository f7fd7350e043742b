import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Customer, DraftOrder, listOf, Product, SubmittedReview } from '@storefront/contracts'
import { expectLedgerBalanced, waitFor } from '@storefront/tools/testing'
import { linkToken, mailsTo, waitForLink } from './support/mails.ts'
import { openShop, stopAfter, type TestShop } from './support/shop.ts'
import { ADDRESS, type TestClient } from './support/test-client.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'

let shop: TestShop
let shirt: Product

beforeAll(async () => {
  shop = await openShop()
  shirt = await shop.stockProduct('account-shirt', 10)
})

afterAll(() => stopAfter(expectLedgerBalanced(shop), shop))

const Saved = listOf(Product)

const savedCount = async (client: TestClient) =>
  Product.parse((await client.get(`/products/${shirt.slug}`)).body).social?.savedCount
const orderIds = async (client: TestClient) => (await client.orders()).items.map((order) => order.id)
const customerOf = async (client: TestClient) => Customer.parse((await client.get('/me')).body)

const opened = new Set<string>()

/** Opens the link in the mail of the registration, where the customer is signed in; each link is opened once. */
async function verify(customer: TestClient): Promise<void> {
  const token = await waitFor('the mail with the link', async () => {
    const mails = await mailsTo(shop, EMAIL)
    return mails.map((mail) => linkToken(mail, '/auth/email/verify')).find((each) => each && !opened.has(each))
  })
  opened.add(token)
  expect((await customer.post('/auth/email/verify', { token })).body).toEqual({ ok: true })
}

/** Requests an alert about the shirt and opens the link in the mail. */
async function requestAlert(client: TestClient, email: string, wanted: object): Promise<void> {
  expect((await client.post('/alerts', { product_slug: shirt.slug, email, ...wanted })).body).toEqual({ ok: true })
  const token = await waitForLink(shop, email, '/alerts/confirm')
  const confirmed = await client.post('/alerts/confirm', { token })
  expect(confirmed.body).toMatchObject({ ok: true, product: { slug: shirt.slug, title: shirt.title } })
}

/** The mails that an export of personal data lists. */
const Mails = z.object({
  mails: z.array(z.object({ kind: z.string(), at: z.string(), phase: z.string(), recipient: z.string().optional() })),
})

test('an account collects the data of its customer, exports it, and is deleted with all of it', async () => {
  const ada = shop.client()
  await ada.register(EMAIL)
  const account = await customerOf(ada)

  // The wishlist, and the number of saves that all visitors see.
  expect((await ada.post('/me/wishlist', { product_slug: shirt.slug })).body).toEqual({ ok: true })
  expect(Saved.parse((await ada.get('/me/wishlist')).body).items.map(({ id }) => id)).toEqual([shirt.id])
  await waitFor('the saved product to be counted', async () => (await savedCount(shop.client())) === 1)
  expect((await ada.call('DELETE', `/me/wishlist/${shirt.slug}`)).body).toEqual({ ok: true })
  await waitFor('the removal to be counted', async () => (await savedCount(shop.client())) === 0)
  await ada.post('/me/wishlist', { product_slug: shirt.slug })
  await waitFor('the product saved again to be counted', async () => (await savedCount(shop.client())) === 1)

  // A guest with the same address, which is later verified for the account.
  const guest = shop.client()
  const variantId = shirt.variants[0]?.id ?? ''
  const bought = await guest.buy(variantId)
  expect(bought.email).toBe(EMAIL)
  expect(await orderIds(ada)).toEqual([])
  expect((await ada.get(`/orders/${bought.id}`)).status).toBe(404)
  await verify(ada)
  expect(await customerOf(ada)).toMatchObject({ emailVerified: true })
  await waitFor('the order to belong to the account', async () => (await orderIds(ada)).includes(bought.id))
  expect((await ada.get(`/orders/${bought.id}`)).status).toBe(200)
  expect((await guest.get(`/orders/${bought.id}`)).status).toBe(200)

  const own = await ada.buy(variantId)
  const review = await ada.post(`/products/${shirt.slug}/reviews`, { author: 'Ada L.', rating: 5, body: 'Lovely' })
  const { id: reviewId } = SubmittedReview.parse(review.body)
  const moderation = await shop.admin.call('PATCH', `/admin/reviews/${reviewId}`, { status: 'published' })
  expect(moderation.status).toBe(200)
  const cart = await ada.cartWith(variantId)

  const made = { email: EMAIL, shippingAddress: ADDRESS, lines: [{ variantId, quantity: 1 }] }
  const draft = DraftOrder.parse((await shop.admin.post('/admin/draft-orders', made)).body)

  await requestAlert(ada, EMAIL, { kind: 'price-drop' })

  const document = await waitFor('all mails to be sent', async () => {
    const response = await ada.get('/me/export')
    const { mails } = Mails.parse(response.body)
    return mails.length > 2 && mails.every(({ phase }) => phase === 'sent') ? response : undefined
  })
  expect(document.status, JSON.stringify(document.body)).toBe(200)
  expect(document.headers.get('content-disposition')).toBe('attachment; filename="personal-data.json"')
  expect(document.body).toMatchObject({
    account: { id: account.id, email: EMAIL },
    wishlist: [{ slug: shirt.slug }],
    orders: expect.arrayContaining([bought, own].map(({ id }) => expect.objectContaining({ id }))),
    draftOrders: [{ id: draft.id, email: EMAIL }],
    alerts: [{ kind: 'price-drop', productSlug: shirt.slug }],
    reviews: [{ id: reviewId, author: 'Ada L.', status: 'published' }],
  })
  const { carts } = z.object({ carts: z.array(z.looseObject({ id: z.string() })) }).parse(document.body)
  expect(carts.map(({ id }) => id)).toContain(cart.id)
  expect(Mails.parse(document.body).mails.map(({ kind, recipient }) => `${kind} to ${recipient}`)).toEqual([
    `emailVerification to ${EMAIL}`,
    `orderPlaced to ${EMAIL}`,
    `paymentCaptured to ${EMAIL}`,
  ])

  // The account is deleted with the right password only.
  const second = shop.client()
  second.token = z
    .object({ token: z.string() })
    .parse((await second.post('/auth/login', { email: EMAIL, password: PASSWORD })).body).token
  expect((await ada.call('DELETE', '/me')).status).toBe(422)
  expect((await ada.call('DELETE', '/me', { password: 'wrong' })).status).toBe(401)
  expect((await ada.get('/me')).status).toBe(200)
  expect((await ada.call('DELETE', '/me', { password: PASSWORD })).body).toEqual({ ok: true })

  for (const device of [ada, second]) {
    for (const path of ['/me', '/me/wishlist', '/me/export', '/orders']) {
      expect((await device.get(path)).status, path).toBe(401)
    }
    expect((await device.post('/me/wishlist', { product_slug: shirt.slug })).status).toBe(401)
    expect((await device.call('DELETE', '/me', { password: PASSWORD })).status).toBe(401)
  }
  expect((await ada.post('/auth/login', { email: EMAIL, password: PASSWORD })).status).toBe(401)
  await waitFor('the saved product to be subtracted', async () => (await savedCount(shop.client())) === 0)
  await waitFor('the cart to be deleted', async () => {
    const rows = await shop.sql('select 1 from cart.carts where id = $1', [cart.id])
    return rows.length === 0
  })
  await waitFor('the draft order to be deleted', async () => {
    const rows = await shop.sql('select 1 from orders.draft_orders where id = $1', [draft.id])
    return rows.length === 0
  })
  await waitFor('the alert to be deleted', async () => {
    return (await shop.sql('select 1 from catalog.alerts where email = $1', [EMAIL])).length === 0
  })
  const authors = await waitFor('the review to lose its author', async () => {
    const { body } = await shop.client().get(`/products/${shirt.slug}/reviews`)
    const { items } = z.object({ items: z.array(z.object({ author: z.string() })) }).parse(body)
    return items.some(({ author }) => author === 'Ada L.') ? undefined : items
  })
  expect(authors).toEqual([{ author: 'A former customer' }])

  await waitFor('the address to be deleted from the log of mails', async () => {
    const rows = await shop.sql(
      `select 1 from notifier.mails where recipient = $1 or data::text like '%' || $1 || '%'`,
      [EMAIL],
    )
    return rows.length === 0
  })

  // A later account with the same address begins with nothing.
  const newOwner = shop.client()
  await newOwner.register(EMAIL)
  const inherited = await customerOf(newOwner)
  expect(inherited.id).not.toBe(account.id)
  const later = shop.client()
  const next = await later.buy(variantId)
  await verify(newOwner)
  await waitFor('the order to belong to the new account', async () => (await orderIds(newOwner)).includes(next.id))
  expect(await orderIds(newOwner)).toEqual([next.id])
  for (const { id } of [bought, own]) expect((await newOwner.get(`/orders/${id}`)).status).toBe(404)
  expect((await newOwner.get('/me/wishlist')).body).toEqual({ items: [], total: 0 })
  // The browser that bought as a guest, the token of the checkout and the lookup no longer open the deleted data.
  expect((await guest.get(`/orders/${bought.id}`)).status).toBe(404)
  expect((await later.get(`/orders/${bought.id}?token=${bought.accessToken}`)).status).toBe(404)
  expect((await later.post('/orders/lookup', { number: bought.number, email: EMAIL })).status).toBe(404)
  expect((await later.get(`/orders/${next.id}`)).status).toBe(200)
})

test('a guest who waits for a sold-out variant gets a mail when it is back, and a mail program ends the alert with one click', async () => {
  const email = 'patient@example.com'
  const variantId = shirt.variants[0]?.id ?? ''
  const setStock = async (quantity: number) =>
    shop.admin.call('PATCH', `/admin/variants/${variantId}/inventory`, { quantity })
  expect((await setStock(0)).status).toBe(200)
  await requestAlert(shop.client(), email, { kind: 'back-in-stock', variant_id: variantId })
  expect((await setStock(5)).status).toBe(200)
  const mail = await waitFor('the mail', async () =>
    (await mailsTo(shop, email)).find((each) => each.includes('is available again')),
  )
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const [, address = ''] = /^List-Unsubscribe: <(.+)>\r?$/m.exec(mail) ?? []
  const { pathname, search } = new URL(address)
  for (let time = 0; time < 2; time++) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = `${pathname}${search}`
    const response = await shop.client().exchange('POST', path, 'List-Unsubscribe=One-Click', form)
    expect([response.status, response.text]).toEqual([200, '{"ok":true}'])
  }
  expect(await shop.sql('select 1 from catalog.alerts where email = $1', [email])).toEqual([])
})
