import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ProductList } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { linkToken, mailsTo, plain } from '../support/mails.ts'
import { expectAccessible, openStorefront, PHONE, WITHOUT_SCRIPT, type TestStorefront } from '../support/storefront.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'the first password of ada'
const NEW_PASSWORD = 'the second password of ada'
const ENDED_SESSION = 'eyJhbGciOiJFZERTQSJ9.ended.session'

const Subscribers = z.object({ items: z.array(z.object({ email: z.string(), unsubscribeUrl: z.string() })) })

let storefront: TestStorefront
let page: Page

beforeAll(async () => {
  storefront = await openStorefront()
  page = await storefront.open('/', PHONE)
})

afterAll(() => storefront.stop())

const visit = (path: string) => page.goto(`${storefront.url}${path}`)
const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
const content = (): Locator => page.locator('#content')
const field = (label: string): Locator => content().getByLabel(label, { exact: true })
const savedTitles = (): Promise<string[]> => page.locator('.wishlist .card-title').allTextContents()

async function expectText(text: string): Promise<void> {
  const found = page.getByText(text).first()
  await found.waitFor()
  expect(await found.textContent()).toContain(text)
}

async function keepInBrowser(key: string, value: string): Promise<void> {
  await page.evaluate(`localStorage.setItem('${key}', '${value}')`)
}

/** The first variant with at least two units in stock. */
async function variantInStock(): Promise<string> {
  const { items } = ProductList.parse((await storefront.shop.client().get('/products?in_stock=1')).body)
  return items.flatMap(({ variants }) => variants).find(({ inventory }) => inventory > 1)?.id ?? ''
}

/** The token of the link in the mail that arrives at this address. */
function tokenInMail(email: string, path: string): Promise<string> {
  return waitFor(`a mail with a link to ${path}`, async () => {
    const mails = await mailsTo(storefront.shop, email)
    return mails.map((mail) => linkToken(mail, path)).find((token) => token !== undefined)
  })
}

/** The path and query of the link to this page in the mail that arrives at this address. */
function alertLink(email: string, path: string): Promise<string> {
  return waitFor(`a mail with a link to ${path}`, async () => {
    const mails = await mailsTo(storefront.shop, email)
    const links = mails.map((mail) => plain(mail).match(new RegExp(`${path}\\?token=[\\w.%-]+`))?.[0])
    return links.find((link) => link !== undefined)
  })
}

async function signIn(email: string, password: string): Promise<void> {
  await field('Email').fill(email)
  await field('Password').fill(password)
  await button('Sign in').click()
}

test('a guest saves products with the heart, and finds them on the page of saved items', async () => {
  const cards = page.locator('.card')
  const pressed = (index: number) => cards.nth(index).getByRole('button').getAttribute('aria-pressed')
  const titles = await cards.locator('.card-title').allTextContents()
  for (const index of [0, 1]) {
    const heart = cards.nth(index).getByRole('button', { name: `Save ${titles[index]}` })
    await heart.click()
    await expect.poll(() => pressed(index)).toBe('true')
  }
  await visit('/wishlist')
  await page.locator('.wishlist .card').first().waitFor()
  expect(await savedTitles()).toEqual([titles[1], titles[0]])
  await expectAccessible(page)

  await visit('/')
  await expect.poll(() => pressed(0)).toBe('true')
  expect(await pressed(2)).toBe('false')
})

test('a guest with a bag creates an account, goes back to where they were, and keeps bag and saved items', async () => {
  const cart = await storefront.shop.client().cartWith(await variantInStock(), 2)
  await keepInBrowser('store.cart_id', cart.id)

  await visit('/account?next=/wishlist')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await field('Email').fill(EMAIL)
  await field('Password').fill('short')
  await button('Create an account').click()
  await expectText('Choose a password with at least 8 characters.')
  expect(await page.locator(':focus').getAttribute('name')).toBe('password')
  await expectAccessible(page)
  await field('First name (optional)').fill('Ada')
  await field('Password').fill(PASSWORD)
  await button('Create an account').click()

  await page.waitForURL(`${storefront.url}/wishlist`)
  await page.locator('.wishlist .card').first().waitFor()
  expect(await savedTitles()).toHaveLength(2)
  expect(await page.evaluate('localStorage.getItem("store.wishlist")')).toBeNull()
  expect(await page.locator('#bag-count').textContent()).toBe('2')
})

test('a customer removes a saved product on one page, and it is gone on the next', async () => {
  const heart = page.locator('.wishlist .card').first().getByRole('button')
  await heart.dblclick()
  await waitFor('the heart to be empty', async () => (await heart.getAttribute('aria-pressed')) === 'false')
  await page.locator('.save.htmx-request').waitFor({ state: 'detached' })
  expect(await heart.getAttribute('aria-pressed')).toBe('false')
  await visit('/wishlist')
  await page.locator('.wishlist .card').first().waitFor()
  expect(await savedTitles()).toHaveLength(1)
})

test('a customer confirms the address with the link in the mail', async () => {
  await visit('/account')
  await expectText(`Please open the link that we sent to ${EMAIL}.`)
  await expectAccessible(page)
  const token = await tokenInMail(EMAIL, '/auth/email/verify')
  await visit(`/auth/email/verify#token=${token}`)
  await expectText('Please confirm that this email address is yours.')
  expect(page.url()).not.toContain(token)
  await expectAccessible(page)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/auth/email/verify')) sent++
  })
  await button('Confirm email address').dblclick()
  await expectText('Your email address is confirmed.')
  await visit('/account')
  await expectText('Hello Ada')
  expect(await page.getByText('Please open the link').count()).toBe(0)
  // The second click would have replaced the answer by "the link was used".
  expect(sent).toBe(1)
})

test('an account page whose contents are lost on the way offers to load them again', async () => {
  const guest = await storefront.open('/', { ...PHONE, serviceWorkers: 'block' })
  await guest.route('**/account', (route) => (route.request().isNavigationRequest() ? route.continue() : route.abort()))
  await guest.goto(`${storefront.url}/account`)
  const again = guest.getByRole('link', { name: 'Try again' })
  await again.waitFor()
  await guest.getByText('The connection was lost').waitFor()
  expect(await guest.locator('.loading').count()).toBe(0)
  await expectAccessible(guest)
  await guest.unroute('**/account')
  await again.click()
  await guest.locator('#sign-in-password').waitFor()
  await guest.context().close()
})

test('a customer keeps addresses, changes one, and chooses the default', async () => {
  await visit('/account/addresses')
  for (const [name, street] of [
    ['Ada Lovelace', '13 St James Square'],
    ['Charles Babbage', '1 Dorset Street'],
  ] as const) {
    await page.getByRole('link', { name: 'Add an address' }).click()
    await field('Name').fill(name)
    await field('Street and number').fill(street)
    await field('Postal code').fill('10001')
    await field('City').fill('New York')
    await expectAccessible(page)
    await button('Save address').dblclick()
    await expectText('The address was saved.')
  }
  await page.getByRole('link', { name: 'Change: Charles Babbage, 1 Dorset Street' }).click()
  await field('Street and number').fill('2 Dorset Street')
  await button('Save address').click()
  await expectText('2 Dorset Street')
  await button('Use as default: Charles Babbage, 2 Dorset Street').click()
  await expectText('This is now your default address.')
  const ofAda = page.locator('.address-card').filter({ hasText: '13 St James Square' })
  await ofAda.getByText('Remove', { exact: true }).click()
  await expectAccessible(page)
  expect(await page.locator('.address-card').count()).toBe(2)
  await ofAda.getByRole('button', { name: 'Yes, remove this address' }).click()
  await expectText('The address was removed.')
  expect(await page.locator('.address-card').allTextContents()).toEqual([expect.stringContaining('2 Dorset Street')])
  await expectAccessible(page)
})

test('a choice stays in an address form that the shop rejects', async () => {
  await visit('/account/addresses/new')
  await field('Name').fill('Ada Lovelace')
  await field('Street and number').fill('13 St James Square')
  await field('Postal code').fill('10001')
  await field('City').fill('New York')
  await page.evaluate(`document.querySelector('select[name="country"]').selectedOptions[0].value = 'ZZ'`)
  await page.getByLabel('Use as default').check()
  await button('Save address').click()
  await page.locator('.notice-problem').waitFor()
  expect(await page.getByLabel('Use as default').isChecked()).toBe(true)
})

test('a customer changes name, email address and password, and reads that a password is wrong', async () => {
  await visit('/account/details')
  await field('New email address').fill('ada@new.example')
  await field('Last name (optional)').fill('Lovelace')
  await button('Save').click()
  await expectText('Saved.')
  expect(await page.locator(':focus').textContent()).toBe('Saved.')
  expect(await field('New email address').inputValue()).toBe('ada@new.example')
  await field('Password').fill('not the password')
  await button('Change email address').click()
  await expectText('Incorrect password.')
  await expectAccessible(page)
  await field('Password').fill(PASSWORD)
  await button('Change email address').click()
  await expectText('Please open the link that we sent to the new address.')
  await field('Current password').fill(PASSWORD)
  await field('New password').fill(NEW_PASSWORD)
  await button('Change password').click()
  await expectText('Your password was changed.')
})

test('a customer reads orders, and downloads all data', async () => {
  await visit('/account/orders')
  await expectText('You have no orders yet.')
  await visit('/account/privacy')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const data: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(JSON.stringify(data)).toContain('2 Dorset Street')
})

test('a customer signs out, and the next person at the browser finds nothing', async () => {
  await visit('/account')
  // As the checkout keeps what is typed there.
  await page.evaluate(`sessionStorage.setItem('store.checkout', '{"street1":"2 Dorset Street"}')`)
  await button('Sign out').click()
  await expectText('You are signed out.')
  await visit('/account/addresses')
  await field('Password').waitFor()
  expect(await page.evaluate(`sessionStorage.getItem('store.checkout')`)).toBeNull()
  const left = expect.stringMatching(/^\d+$/)
  expect(await page.evaluate('({ ...localStorage })')).toEqual({ 'store.bag_count': '0', 'store.left': left })
})

test('a customer who forgot the password sets a new one with the mail, and comes back to the page they wanted', async () => {
  await visit('/auth/password/reset#token=used')
  await field('New password').fill(PASSWORD)
  await button('Save new password').click()
  await page.getByRole('link', { name: 'Request a new link' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await field('Email').fill(EMAIL)
  await button('Send the link').click()
  await expectText(`If there is an account for ${EMAIL}, the link is on its way.`)
  const token = await tokenInMail(EMAIL, '/auth/password/reset')
  await visit(`/auth/password/reset#token=${token}`)
  await field('New password').fill('short')
  await button('Save new password').click()
  await expectText('Choose a password with at least 8 characters.')
  await expectAccessible(page)
  await field('New password').fill(PASSWORD)
  await button('Save new password').click()
  await expectText('Your new password was saved.')

  await visit('/account/addresses')
  await signIn(EMAIL, NEW_PASSWORD)
  await expectText('Incorrect email or password.')
  await signIn(EMAIL, PASSWORD)
  await expectText('2 Dorset Street')
})

test('a customer whose session has ended reads that they were signed out, and signs in again', async () => {
  await visit('/account/details')
  await field('Last name (optional)').waitFor()
  await keepInBrowser('store.session', ENDED_SESSION)
  await button('Save').click()
  await expectText('You were signed out because it has been a while')
  expect(await page.locator('.account-part').count()).toBe(0)
  await keepInBrowser('store.session', ENDED_SESSION)
  await visit('/account/orders')
  await expectText('You were signed out because it has been a while')
  await signIn(EMAIL, PASSWORD)
  await page.waitForURL(`${storefront.url}/account/orders`)
  await expectText('You have no orders yet.')
})

test('a customer whose session has ended finds the bag again after the next sign-in', async () => {
  const count = () => page.locator('#bag-count').textContent()
  const kept = (key: string) => page.evaluate(`localStorage.getItem("${key}")`)
  expect(await count()).toBe('2')
  await keepInBrowser('store.session', ENDED_SESSION)
  await visit('/')
  await expect.poll(() => kept('store.session')).toBeNull()
  expect(await kept('store.cart_id')).toBeNull()
  expect(await count()).toBe('')

  // What is put into a bag after the end of the session is the shopper's own.
  const variant = await variantInStock()
  const { id } = await storefront.shop.client().cartWith(variant)
  await keepInBrowser('store.session', ENDED_SESSION)
  await keepInBrowser('store.cart_id', id)
  await visit('/')
  await expect.poll(() => kept('store.session')).toBeNull()
  expect(await kept('store.cart_id')).toBe(id)
  await visit('/account')
  await signIn(EMAIL, PASSWORD)
  await expectText('Hello Ada')
  expect(await count()).toBe('3')
  expect(await kept('store.cart_id')).not.toBe(id)
})

test('a customer deletes the account with the password and a box to tick', async () => {
  await visit('/account/privacy')
  await page.getByText('Delete my account').click()
  await expectAccessible(page)
  await field('Password').fill('not the password')
  await field('I understand that this cannot be undone.').check()
  await button('Delete account').click()
  await expectText('Incorrect password.')
  await field('Password').fill(PASSWORD)
  await field('I understand that this cannot be undone.').check()
  await button('Delete account').click()
  await expectText('Your account was deleted.')
  await signIn(EMAIL, PASSWORD)
  await expectText('Incorrect email or password.')
})

test('a shopper subscribes to the newsletter, confirms it, and can end it', async () => {
  const email = 'reader@example.com'
  await visit('/')
  await page.locator('#newsletter-email').fill(email)
  await button('Subscribe').click()
  await expectText(`Please open the link that we sent to ${email}.`)
  await visit(`/newsletter/confirm#token=${await tokenInMail(email, '/newsletter/confirm')}`)
  await button('Confirm subscription').click()
  await expectText('You are subscribed to our newsletter.')
  const { items } = Subscribers.parse((await storefront.shop.admin.get('/admin/newsletter/subscribers')).body)
  const link = items.find((subscriber) => subscriber.email === email)?.unsubscribeUrl ?? ''
  await visit(`/newsletter/unsubscribe${new URL(link).hash}`)
  await button('Unsubscribe').click()
  await expectText('You have been unsubscribed.')
  await visit('/newsletter/confirm')
  await expectText('This link is incomplete.')
})

test('a shopper confirms an alert with the link in the mail, and ends it', async () => {
  const email = 'patient@example.com'
  const body = { kind: 'price-drop', product_slug: 'linen-camp-shirt', email }
  expect((await storefront.shop.client().post('/alerts', body)).status).toBe(200)
  await visit(await alertLink(email, '/alerts/confirm'))
  await button('Confirm alert').click()
  await expectText('We will email you when the price of Linen Camp Shirt falls.')
  await visit(await alertLink(email, '/alerts/unsubscribe'))
  await expectAccessible(page)
  await button('End alert').click()
  await expectText('Your alert has ended.')
  await visit('/alerts/confirm')
  await expectText('This link is incomplete.')
})

test('without JavaScript a customer registers, saves a product, changes an address and signs out', async () => {
  page = await storefront.open('/account/register?next=//other.example', WITHOUT_SCRIPT)
  await field('Email').fill('plain@example.com')
  await field('Password').fill(PASSWORD)
  await button('Create an account').click()
  // `next` is the address of another site, so it is ignored.
  await page.waitForURL(`${storefront.url}/account`)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'session')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  await visit('/')
  const title = await page.locator('.card-title').first().textContent()
  await page.locator('.card').first().getByRole('button').click()
  await visit('/wishlist')
  expect(await savedTitles()).toEqual([title])
  await visit('/account/addresses/new')
  await field('Name').fill('Ada')
  await field('Street and number').fill('13 St James Square')
  await field('Postal code').fill('10001')
  await field('City').fill('New York')
  await button('Save address').click()
  await expectText('The address was saved.')
  await visit('/account')
  await button('Sign out').click()
  // The browser of the test does not show what is for browsers without scripts.
  await page.waitForURL(`${storefront.url}/account?done=signedOut`)
  expect(await page.content()).toContain('You are signed out.')
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([])
})

test.each([
  '//other.example',
  '/\\other.example',
  '/\t/other.example',
  '/.//other.example',
  'https://other.example',
  'javascript:alert(1)',
  'account/orders',
])('a link whose address after the sign-in is %j leads to the account', async (next) => {
  const response = await fetch(`${storefront.url}/account/register?next=${encodeURIComponent(next)}`)
  expect(/name="next" value="([^"]*)"/.exec(await response.text())?.[1]).toBe('/account')
})

test('the browser reports no fault', () => {
  expect(storefront.faults).toEqual([])
})
