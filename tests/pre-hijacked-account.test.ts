import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Cart, Customer, type Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { testLookAlikeAddress } from './accounts/look-alike-address.ts'
import { NO_BROWSER, startBrowser } from './support/browser.ts'
import { waitForLink } from './support/mails.ts'
import { openShop, type TestShop } from './support/shop.ts'
import { ADDRESS, type TestClient } from './support/test-client.ts'

/** The password that `register` of a test client sets. */
const PASSWORD = 'correct horse battery'
const NEXT = 'chosen at the mailbox'

let shop: TestShop
let variantId: string
let browser: Browser | undefined
let page: Page | undefined

beforeAll(async () => {
  shop = await openShop()
  variantId = (await shop.stockProduct('hijacked-shirt', 100)).variants[0]?.id ?? ''
  if (NO_BROWSER !== undefined) return
  browser = await startBrowser()
  page = await browser.newPage()
  page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await browser?.close()
  await shop.stop()
})

const linkIn = (email: string) => waitForLink(shop, email, '/auth/email/verify')
const logIn = async (email: string, password: string): Promise<TestClient | undefined> => {
  const client = shop.client()
  const response = await client.post('/auth/login', { email, password })
  if (response.status !== 200) return undefined
  client.token = z.object({ token: z.string() }).parse(response.body).token
  return client
}

const buyAs = (email: string): Promise<Order> => shop.client().buy(variantId, 1, email)

/** Registers the address of another person, and leaves an address and a cart in the account. */
async function hijack(email: string): Promise<{ attacker: TestClient; cart: Cart }> {
  const attacker = shop.client()
  await attacker.register(email)
  expect((await attacker.post('/me/addresses', ADDRESS)).status).toBe(200)
  return { attacker, cart: await attacker.cartWith(variantId) }
}

async function expectLockedOut(attacker: TestClient, email: string, order: Order): Promise<void> {
  expect((await attacker.get('/me')).status).toBe(401)
  expect((await attacker.get('/orders')).status).toBe(401)
  expect((await attacker.get(`/orders/${order.id}`)).status).toBe(404)
  expect(await logIn(email, PASSWORD)).toBeUndefined()
}

async function expectOwned(email: string, order: Order, plantedCart: Cart): Promise<void> {
  const owner = await logIn(email, NEXT)
  if (!owner) throw new Error('the new password does not sign in')
  expect(Customer.parse((await owner.get('/me')).body)).toMatchObject({ emailVerified: true, addresses: [] })
  await waitFor('the guest order', async () => (await owner.orders()).total > 0)
  expect((await owner.orders()).items.map(({ id }) => id)).toEqual([order.id])
  await waitFor('the planted cart to end', async () => (await owner.get(`/carts/${plantedCart.id}`)).status === 404)
  expect(Cart.parse((await owner.post('/carts', {})).body).lines).toEqual([])
}

describe('an account that was registered with the address of another person', () => {
  test('belongs to that person alone after they confirm the address and set a password', async () => {
    const email = 'victim@hijacked.example'
    const order = await buyAs(email)
    const { attacker, cart } = await hijack(email)
    const response = await shop.client().post('/auth/email/verify', { token: await linkIn(email) })
    expect(response).toMatchObject({ status: 200, body: { ok: true, newPasswordRequired: true } })
    await expectLockedOut(attacker, email, order)
    const { resetToken } = z.object({ resetToken: z.string() }).parse(response.body)
    const reset = await shop.client().post('/auth/password/reset', { token: resetToken, password: NEXT })
    expect(reset.body).toEqual({ ok: true })
    await expectLockedOut(attacker, email, order)
    await expectOwned(email, order, cart)
  })

  test('shows no guest order to a customer who changed their own address to that one', async () => {
    const email = 'moved@hijacked.example'
    const order = await buyAs(email)
    const attacker = shop.client()
    await attacker.register('mallory@hijacked.example')
    const change = { email, password: PASSWORD }
    expect((await attacker.post('/auth/email/change', change)).status).toBe(200)
    const confirmed = await shop.client().post('/auth/email/verify', { token: await linkIn(email) })
    expect(confirmed).toMatchObject({ status: 422, body: { code: 'missing_credentials' } })
    // Verified addresses are matched with orders, so another customer proves that the matching has run.
    const other = shop.client()
    await other.register('other@hijacked.example')
    const ownOrder = await buyAs('other@hijacked.example')
    await other.post('/auth/email/verify', { token: await linkIn('other@hijacked.example') })
    await waitFor('the guest order of the other', async () => (await other.orders()).total > 0)
    expect((await other.orders()).items.map(({ id }) => id)).toEqual([ownOrder.id])
    expect((await attacker.orders()).total).toBe(0)
    expect((await attacker.get(`/orders/${order.id}`)).status).toBe(404)
  })

  test.skipIf(NO_BROWSER)('is claimed on the page that the mail links to', async () => {
    const email = 'reader@hijacked.example'
    const order = await buyAs(email)
    const { attacker, cart } = await hijack(email)
    if (!page) throw new Error('there is no browser')
    await page.goto(`${shop.shop.url}/auth/email/verify#token=${await linkIn(email)}`)
    expect(await page.locator('input[name=password]').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.waitForURL('**/auth/password/reset')
    expect(await page.locator('#explanation').textContent()).toMatch(/^Thank you\. One more step: choose a password/)
    await expectLockedOut(attacker, email, order)
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByText('Your new password is saved.').waitFor()
    await expectOwned(email, order, cart)
  })

  test.skipIf(NO_BROWSER)(
    'requires the password of the account on the page that confirms a change of address',
    async () => {
      const holder = shop.client()
      await holder.register('before@hijacked.example')
      await holder.post('/auth/email/change', { email: 'after@hijacked.example', password: PASSWORD })
      if (!page) throw new Error('there is no browser')
      await page.goto(`${shop.shop.url}/auth/email/verify#token=${await linkIn('after@hijacked.example')}`)
      await page.getByRole('button', { name: 'Confirm email address' }).click()
      await page.getByLabel('Password of your account').fill(PASSWORD)
      await page.getByRole('button', { name: 'Confirm email address' }).click()
      await page.getByText('Your email address is confirmed.').waitFor()
      expect(Customer.parse((await holder.get('/me')).body)).toMatchObject({ email: 'after@hijacked.example' })
    },
  )
})

testLookAlikeAddress(() => shop)
