import type { BrowserContextOptions, Locator, Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Cart } from '@storefront/contracts'
import { createFakeRazorpay, type FakeRazorpay } from '@storefront/tools/testing'
import { setCheckout } from '../support/set-checkout.ts'
import {
  DESK,
  expectAccessible,
  openStorefront,
  PHONE,
  WITHOUT_SCRIPT,
  type TestStorefront,
} from '../support/storefront.ts'

let storefront: TestStorefront
let razorpay: FakeRazorpay
let products = 0

const ADDRESS = {
  Email: 'ada@example.com',
  'Full name': 'Ada Lovelace',
  'Street and number': '12 Analytical Row',
  'Postal code': '97204',
  'Town or city': 'Portland',
}

const READ_ALOUD = `# The checkout, read aloud

What a screen reader finds on the checkout of the [storefront](../apps/storefront/README.md), in its order: the accessibility tree of
Chromium, which a test compares with this document.
`

beforeAll(async () => {
  razorpay = await createFakeRazorpay()
  const env = { RAZORPAY_BASE_URL: razorpay.url, SECRETS_KEY: 'a key for the secrets of this shop' }
  storefront = await openStorefront({ env })
})
afterEach(() => storefront.closeWindows())
afterAll(async () => {
  await storefront.stop()
  await razorpay.stop()
  expect(storefront.faults).toEqual([])
})

interface Bag {
  cartId: string
  productId: string
  variantId: string
}

/** A bag with units of a product of its own. */
async function fillBag(quantity = 1, stock = 10): Promise<Bag> {
  const slug = `checkout-${++products}`
  const product = await storefront.shop.stockProduct(slug, stock)
  const variantId = product.variants[0]?.id ?? ''
  const shop = storefront.shop.client()
  const { id } = Cart.parse((await shop.post('/carts')).body)
  await shop.post(`/carts/${id}/lines`, { variant_id: variantId, quantity })
  return { cartId: id, productId: product.id, variantId }
}

/** The page of the checkout in a browser that has this bag. */
async function openCheckout({ cartId }: Bag, device: BrowserContextOptions = DESK): Promise<Page> {
  const page = await storefront.open('/orders/lookup', device)
  const hasScript = device.javaScriptEnabled !== false
  if (hasScript) await page.evaluate((id) => localStorage.setItem('store.cart_id', id), cartId)
  else await page.context().addCookies([{ name: 'bag', value: cartId, url: storefront.url }])
  await page.goto(`${storefront.url}/checkout`)
  await form(page).getByLabel('Email').waitFor()
  return page
}

async function fillIn(page: Page, values: Record<string, string> = ADDRESS): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form(page).getByLabel(label).fill(value)
}

/** The accessibility tree of a part of a page, in the order in which it is read. */
async function readAloud(part: Locator): Promise<string> {
  const tree = (await part.ariaSnapshot())
    .replaceAll(/(arrives about) \w+, \w+ \d+/g, '$1 Tuesday, December 1')
    .replaceAll(/Shirt checkout-\d+/g, 'Shirt')
  return `\`\`\`text\n${tree}\n\`\`\``
}

const form = (page: Page) => page.locator('#checkout-form')
const placeOrder = (page: Page) => page.getByRole('button', { name: /^(?:Place the order|Continue to payment)/ })
const problems = (page: Page) => page.locator('#problems')

async function orderOf(page: Page): Promise<{ number: string; id: string }> {
  await page.waitForURL('**/order/**')
  await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor()
  const number = (await page.getByRole('heading', { level: 1 }).textContent())?.replace('Order ', '') ?? ''
  return { number, id: new URL(page.url()).pathname.split('/').at(-1) ?? '' }
}

const ordersOf = ({ cartId }: Bag) =>
  storefront.shop.sql<{ id: string; total: number; message: string | null }>(
    `select id, (document->'total'->>'amount')::int as total, document->>'giftMessage' as message
     from orders.orders where cart_id = $1`,
    [cartId],
  )

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])('a guest on %s sees the exact total, buys, and finds the order again', async (_name, device) => {
  const bag = await fillBag(2)
  const page = await openCheckout(bag, device)
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await placeOrder(page).click()
  await problems(page).getByRole('link', { name: 'Enter your email address' }).waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('problems')
  await expectAccessible(page)
  await fillIn(page)
  const before = await placeOrder(page).textContent()
  await form(page)
    .getByLabel(/^Express/)
    .check()
  await expect.poll(() => placeOrder(page).textContent()).not.toBe(before)
  await page.getByText('Add a gift message').click()
  await page.getByLabel('Gift message', { exact: true }).fill('Happy birthday!\nAda')
  const total = Number((await placeOrder(page).textContent())?.replaceAll(/\D/g, ''))
  await placeOrder(page).click()
  const { number } = await orderOf(page)
  expect(await ordersOf(bag)).toMatchObject([{ total, message: 'Happy birthday!\nAda' }])
  await page.getByRole('listitem').filter({ hasText: 'Paid' }).and(page.locator('[aria-current]')).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(`localStorage.getItem('store.cart_id')`)).toBe(null)
  expect(await page.evaluate(`sessionStorage.getItem('store.checkout')`)).toBe(null)

  await page.goto(`${storefront.url}/orders/lookup`)
  const lookUp = async (typed: string) => {
    await page.getByLabel('Order number').fill(typed)
    await page.getByLabel('Email').first().fill('ADA@example.com')
    await page.getByRole('button', { name: 'Show the order' }).click()
  }
  await lookUp('SF-9')
  await page.getByText('We could not find an order with this number and this email address.').waitFor()
  await lookUp(number.toLowerCase())
  expect((await orderOf(page)).number).toBe(number)
})

// `npx vitest run -u --config vitest.long.config.ts …` writes the document again.
test('a screen reader reads the checkout as docs/checkout-read-aloud.md says', async () => {
  const page = await openCheckout(await fillBag())
  const parts = [`## The page\n\n${await readAloud(page.locator('main'))}`]
  await placeOrder(page).click()
  await problems(page).waitFor()
  parts.push(`## After an attempt without an address\n\n${await readAloud(page.locator('main'))}`)
  expect(await page.locator(':focus').getAttribute('id')).toBe('problems')
  await expect(`${READ_ALOUD}\n${parts.join('\n\n')}\n`).toMatchFileSnapshot('../../docs/checkout-read-aloud.md')
})

test('a shopper with a keyboard alone buys', async () => {
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await form(page).getByLabel('Email').focus()
  for (const value of Object.values(ADDRESS)) {
    await page.keyboard.type(value)
    const name = await page.evaluate(`document.activeElement.name`)
    await page.keyboard.press('Tab')
    // A link to sign in and the second line of the address follow these fields, and are skipped.
    if (name === 'email' || name === 'line1') await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await orderOf(page)
  expect(await ordersOf(bag)).toHaveLength(1)
})

test('a shopper without scripts reaches the order, and sees the total of another country before it is charged', async () => {
  await storefront.shop.admin.call('PATCH', '/admin/storefront', {
    commerce: { tax: { defaultRate: 800, rates: [{ country: 'GB', rate: 2000 }], pricesIncludeTax: false } },
  })
  const bag = await fillBag()
  const page = await openCheckout(bag, WITHOUT_SCRIPT)
  await placeOrder(page).click()
  await problems(page).getByRole('link', { name: 'Enter the postal code' }).waitFor()
  await fillIn(page)
  await form(page).getByLabel('Country').selectOption('GB')
  await placeOrder(page).click()
  await page.getByText(/^The total is now .* before it was/).waitFor()
  expect(await ordersOf(bag)).toEqual([])
  expect(await form(page).getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  const total = Number((await placeOrder(page).textContent())?.replaceAll(/\D/g, ''))
  await placeOrder(page).click()
  await orderOf(page)
  expect(await ordersOf(bag)).toMatchObject([{ total }])
  const settings = { seo: { titleTemplate: '{title} | {store}' }, commerce: { tax: { pricesIncludeTax: true } } }
  expect((await storefront.shop.admin.call('PATCH', '/admin/storefront', settings)).status).toBe(200)
  await expect.poll(async () => (await page.reload()) && page.title()).toContain(' | ')
  expect(await page.locator('.totals dt').allTextContents()).toEqual(['Subtotal', 'Shipping', 'Tax', 'Total'])
  const next = await openCheckout(await fillBag(), WITHOUT_SCRIPT)
  const included = ['Subtotal', 'Shipping', 'Total', 'Tax, included']
  expect(await next.locator('.totals dt').allTextContents()).toEqual(included)
})

test('a reload in the middle of the checkout loses nothing', async () => {
  const bag = await fillBag()
  const page = await openCheckout(bag, PHONE)
  await fillIn(page)
  await form(page).getByLabel('Country').selectOption('GB')
  await form(page)
    .getByLabel(/^Express/)
    .check()
  await page.reload()
  await placeOrder(page).waitFor()
  for (const [label, value] of Object.entries(ADDRESS)) {
    await expect.poll(() => form(page).getByLabel(label).inputValue()).toBe(value)
  }
  expect(await form(page).getByLabel('Country').inputValue()).toBe('GB')
  await expect
    .poll(() =>
      form(page)
        .getByLabel(/^Express/)
        .isChecked(),
    )
    .toBe(true)
  await expect.poll(async () => (await form(page).locator('[name=seen]').inputValue()) !== '').toBe(true)
})

test('what is typed before the scripts are there is kept, also beside an earlier draft', async () => {
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  await fillIn(page, { Email: 'old@example.com', 'Full name': 'Ada Lovelace' })
  const network = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await network.promise
    await route.continue()
  })
  await page.reload()
  await form(page).getByLabel('Email').fill('ada@example.com')
  network.resolve()
  await page.locator('html.is-ready').waitFor()
  await expect.poll(() => form(page).getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  expect(await form(page).getByLabel('Email').inputValue()).toBe('ada@example.com')
  await page.reload()
  await expect.poll(() => form(page).getByLabel('Email').inputValue()).toBe('ada@example.com')
})

test('an address that is corrected while the shop computes the price stays corrected', async () => {
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  await page.locator('html.is-ready').waitFor()
  await fillIn(page)
  await page.evaluate(`addEventListener('htmx:after:swap', () => document.body.classList.add('is-swapped'))`)
  const network = Promise.withResolvers<void>()
  await page.route('**/checkout/price', async (route) => {
    await network.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/checkout/price')
  await form(page).getByLabel('Country').selectOption('GB')
  await sent
  const street = form(page).getByLabel('Street and number')
  await street.fill('14 Analytical Row')
  await form(page).getByLabel('Email').focus()
  network.resolve()
  await page.locator('body.is-swapped').waitFor()
  expect(await street.inputValue()).toBe('14 Analytical Row')
  expect(await form(page).getByLabel('Full name').inputValue()).toBe(ADDRESS['Full name'])
  expect(await page.evaluate(`sessionStorage.getItem('store.checkout')`)).toContain('"line1":"14 Analytical Row"')
})

test('a discount code that is corrected or removed while the shop computes the price is not restored', async () => {
  const discount = { code: 'RIGHT', kind: 'percent', value: 10 }
  expect((await storefront.shop.admin.post('/admin/discounts', discount)).status).toBe(200)
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  await page.locator('html.is-ready').waitFor()
  await page.evaluate(`
    window.steps = []
    for (const event of ['htmx:before:request', 'htmx:after:swap'])
      addEventListener(event, ({ detail }) => steps.push(event + ' ' + detail.ctx.request?.action))`)
  const steps = () => page.evaluate('steps')
  /** Chooses a country, whose price arrives only after this change. */
  const whilePriced = async (country: string, change: () => Promise<void>) => {
    await page.evaluate('steps = []')
    const changed = Promise.withResolvers<void>()
    await page.route('**/checkout/price', async (route) => {
      const response = await route.fetch()
      await changed.promise
      await route.fulfill({ response })
    })
    const sent = page.waitForRequest('**/checkout/price')
    await form(page).getByLabel('Country').selectOption(country)
    await sent
    await change()
    changed.resolve()
  }
  const price = ['htmx:before:request /checkout/price', 'htmx:after:swap /checkout/price']
  const thenCode = [...price, 'htmx:before:request /checkout/code', 'htmx:after:swap /checkout/code']
  const code = form(page).getByLabel('Discount code')
  await code.fill('RIHGT')
  await whilePriced('GB', async () => {
    await code.fill('RIGHT')
    await form(page).getByLabel('Email').focus()
  })
  await expect.poll(steps).toEqual(price)
  expect(await code.inputValue()).toBe('RIGHT')
  await whilePriced('US', () => code.press('Enter'))
  await expect.poll(steps).toEqual(thenCode)
  const remove = page.getByRole('button', { name: /^Remove the code .*RIGHT/ })
  await remove.waitFor()
  await whilePriced('GB', () => remove.click())
  await expect.poll(steps).toEqual(thenCode)
  expect(await remove.count()).toBe(0)
  expect(await code.inputValue()).toBe('')
})

test('a price that does not arrive delays a change of the discount code by seconds', async () => {
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  await page.locator('html.is-ready').waitFor()
  await page.clock.install()
  await page.route('**/checkout/price', () => {})
  const sent = page.waitForRequest('**/checkout/price')
  await form(page).getByLabel('Country').selectOption('GB')
  await sent
  const changed = page.waitForResponse('**/checkout/code')
  const code = form(page).getByLabel('Discount code')
  await code.fill('NEVER')
  await code.press('Enter')
  await page.clock.fastForward('00:16')
  expect((await changed).status()).toBe(422)
})

test('a discount code cannot be changed while an order is placed, whose rejection would undo it', async () => {
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  await page.locator('html.is-ready').waitFor()
  const tried = Promise.withResolvers<void>()
  await page.route('**/checkout', async (route) => {
    const response = await route.fetch()
    await tried.promise
    await route.fulfill({ response })
  })
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/checkout/code')) changes.push(request.url())
  })
  const code = form(page).getByLabel('Discount code')
  const apply = form(page).getByRole('button', { name: 'Apply' })
  await placeOrder(page).click()
  await code.fill('NEVER')
  await code.press('Enter')
  expect(await apply.isDisabled()).toBe(true)
  tried.resolve()
  await problems(page).getByRole('link', { name: 'Enter your email address' }).waitFor()
  await expect.poll(() => code.inputValue()).toBe('NEVER')
  expect(changes).toEqual([])
  await apply.click()
  await problems(page).getByRole('link', { name: 'Enter your email address' }).waitFor({ state: 'detached' })
  expect(changes).toHaveLength(1)
})

test('contents that did not arrive are requested again', async () => {
  const page = await openCheckout(await fillBag(), { ...DESK, serviceWorkers: 'block' })
  let isLost = true
  await page.route('**/checkout', async (route) => {
    const isContents = route.request().headers()['hx-request'] === 'true'
    if (!isContents || !isLost) return route.continue()
    isLost = false
    return route.abort()
  })
  await page.reload()
  await form(page).getByLabel('Email').waitFor()
  expect(isLost).toBe(false)
})

test('a shopper whose goods are sold to others meanwhile buys what is left, and nothing typed is lost', async () => {
  const bag = await fillBag(3, 3)
  const page = await openCheckout(bag)
  await fillIn(page)
  const other = await fillBag(1)
  const faster = storefront.shop.client()
  await faster.post(`/carts/${other.cartId}/lines`, { variant_id: bag.variantId, quantity: 2 })
  const body = {
    email: 'grace@example.com',
    shipping_address: { name: 'Grace', line1: '1 Way', city: 'York', postalCode: 'YO1', country: 'GB' },
  }
  expect((await faster.post(`/carts/${other.cartId}/checkout`, body)).status).toBe(200)
  await placeOrder(page).click()
  await problems(page).getByRole('button', { name: 'Change quantity to 1' }).click()
  await problems(page).waitFor({ state: 'detached' })
  expect(await form(page).getByLabel('Email').inputValue()).toBe(ADDRESS.Email)
  await placeOrder(page).click()
  await orderOf(page)
  expect(await ordersOf(bag)).toHaveLength(1)
})

test('a double click, and the same form sent once more, make one order', async () => {
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await fillIn(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/checkout'))
  await placeOrder(page).dblclick()
  const { id } = await orderOf(page)
  expect(await ordersOf(bag)).toHaveLength(1)
  // The same form is sent again, as after a response that was lost.
  const body = (await sent).postDataBuffer() ?? ''
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const again = await fetch(`${storefront.url}/checkout`, { method: 'POST', headers, body, redirect: 'manual' })
  expect([again.status, again.headers.get('location')]).toEqual([303, expect.stringContaining(`/order/${id}?token=`)])
  const other = new URLSearchParams(body.toString())
  other.set('attempt', 'another')
  const foreign = await fetch(`${storefront.url}/checkout`, { method: 'POST', body: other, redirect: 'manual' })
  expect(await foreign.text()).toContain('You have already ordered what is in this bag')
  expect(await ordersOf(bag)).toHaveLength(1)
})

test('a shopper whose connection is lost reads what to do, and orders once', async () => {
  const bag = await fillBag(1)
  const page = await openCheckout(bag, { ...PHONE, serviceWorkers: 'block' })
  await fillIn(page)
  const isPost = (route: Route) => route.request().method() === 'POST'
  await page.route('**/checkout/price', (route) => route.abort())
  await form(page).getByLabel('Country').selectOption('GB')
  const away = page.locator('#checkout-away')
  await away.getByText('The connection was lost before the shop replied. Please load the page again').waitFor()
  await page.unroute('**/checkout/price')
  await form(page).getByLabel('Country').selectOption('US')
  await expect.poll(() => away.textContent()).toBe('')
  await page.route('**/checkout', async (route) => {
    if (!isPost(route)) return route.continue()
    await route.fetch({ maxRedirects: 0 })
    return route.abort()
  })
  await placeOrder(page).click()
  await away.getByText('Place the order again: it is never placed or charged twice.').waitFor()
  expect(await page.locator(':focus').getAttribute('id')).toBe('checkout-away')
  expect(await ordersOf(bag)).toHaveLength(1)
  await page.unroute('**/checkout')
  await placeOrder(page).click()
  await orderOf(page)
  expect(await ordersOf(bag)).toHaveLength(1)

  const other = await openCheckout(await fillBag(), { ...PHONE, serviceWorkers: 'block' })
  await other.goto(`${storefront.url}/product/checkout-${products}`)
  await other.locator('html.is-ready').waitFor()
  await other.route('**/cart/contents', (route) => route.abort())
  await expect
    .poll(() => other.evaluate('scrollTo(0, document.body.scrollHeight), scrollY').then(Number))
    .toBeGreaterThan(0)
  await other.evaluate(`document.querySelector('[data-opens-bag]').click()`)
  await other.locator('#notice').getByText('The connection was lost').waitFor()
  expect(await other.evaluate('scrollY')).toBeGreaterThan(0)
  expect(await other.evaluate(`document.querySelector('#notice p').getBoundingClientRect().top`)).toBeGreaterThan(0)
  expect(await other.locator('dialog[open]').count()).toBe(0)
})

test('an order cannot be opened in another browser without its token', async () => {
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await fillIn(page)
  await placeOrder(page).click()
  const { id } = await orderOf(page)
  for (const path of [`/order/${id}`, `/order/${id}?token=guessed`, '/order/order_missing', '/order/%00']) {
    const other = await storefront.open(path)
    await expect.poll(() => other.getByRole('heading', { level: 1 }).textContent()).toBe('This page does not exist')
  }
})

test('a signed-in customer chooses among saved addresses, and sees the order without a token', async () => {
  const customer = storefront.shop.client()
  const body = { email: 'grace@example.com', password: 'correct horse battery', firstName: 'Grace', lastName: 'Hopper' }
  const { token } = z.object({ token: z.string() }).parse((await customer.post('/auth/register', body)).body)
  const bearer = { authorization: `Bearer ${token}` }
  for (const [line1, city] of [
    ['1 Navy Yard', 'Boston'],
    ['2 Mill Lane', 'Leeds'],
  ]) {
    const address = { name: 'Grace Hopper', line1, city, postalCode: '02129', country: city === 'Leeds' ? 'GB' : 'US' }
    expect((await customer.call('POST', '/me/addresses', address, bearer)).status).toBe(200)
  }
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await page.evaluate((session) => localStorage.setItem('store.session', session), token)
  await page.reload()
  await expect.poll(() => form(page).getByLabel('Town or city').inputValue()).toBe('Boston')
  await form(page).getByLabel('Saved addresses').selectOption({ label: 'Grace Hopper, 2 Mill Lane, Leeds' })
  await expect.poll(() => form(page).getByLabel('Town or city').inputValue()).toBe('Leeds')
  expect(await form(page).getByLabel('Country').inputValue()).toBe('GB')
  // A reload would fill in the address from here.
  await expect.poll(() => page.evaluate(`sessionStorage.getItem('store.checkout')`)).toContain('"city":"Leeds"')
  await placeOrder(page).click()
  const { id, number } = await orderOf(page)
  await page.goto(`${storefront.url}/order/${id}`)
  await page.getByRole('heading', { name: `Order ${number}` }).waitFor()
})

test('a customer whose session ends during the checkout signs in again, and finds bag and form', async () => {
  const email = 'mary@example.com'
  const customer = storefront.shop.client()
  await customer.register(email)
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
  await page.reload()
  await expect.poll(() => form(page).getByLabel('Email').inputValue()).toBe(email)
  await fillIn(page, { ...ADDRESS, Email: email })
  expect((await customer.post('/auth/logout', { everywhere: true })).status).toBe(200)
  await placeOrder(page).click()
  await page.getByText('You were signed out because it has been a while').waitFor()
  expect(await page.evaluate('({ ...localStorage })')).not.toMatchObject({ 'store.session': expect.anything() })
  await page.locator('#sign-in-email').fill(email)
  await page.locator('#sign-in-password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${storefront.url}/checkout`)
  await page.locator('html.is-ready').waitFor()
  await expect.poll(() => form(page).getByLabel('Postal code').inputValue()).toBe('97204')
  await placeOrder(page).click()
  await orderOf(page)
  expect(await ordersOf(bag)).toHaveLength(1)
})

test('a customer who signs out in one tab leaves nothing to the next person in the others', async () => {
  const email = 'ruth@example.com'
  const customer = storefront.shop.client()
  await customer.register(email)
  const page = await openCheckout(await fillBag())
  await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
  await page.reload()
  await page.locator('html.is-ready').waitFor()
  await expect.poll(() => form(page).getByLabel('Email').inputValue()).toBe(email)
  await fillIn(page, { ...ADDRESS, Email: email })
  const draft = await page.evaluate(`sessionStorage.getItem('store.checkout')`)
  expect(draft).toContain(ADDRESS['Street and number'])
  const details = await page.context().newPage()
  await details.goto(`${storefront.url}/account/details`)
  await details.getByLabel('Last name (optional)', { exact: true }).waitFor()
  await details.locator('html.is-ready').waitFor()
  const tab = await page.context().newPage()
  await tab.goto(`${storefront.url}/account`)
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
  await tab.getByText('You are signed out.').waitFor()
  // The form of the first customer would change the name of the next one.
  await details.locator('#sign-in-email').waitFor()
  await form(page).waitFor({ state: 'detached' })
  await page.locator('html.is-ready').waitFor()
  expect(await page.evaluate(`sessionStorage.getItem('store.checkout')`)).toBe(null)

  // A tab that was closed at the sign-out, and is opened again, has its draft.
  await page.evaluate(`sessionStorage.setItem('store.checkout', ${JSON.stringify(draft)})`)
  await page.evaluate(`localStorage.setItem('store.cart_id', '${(await fillBag()).cartId}')`)
  await page.goto(`${storefront.url}/checkout`)
  await form(page).waitFor()
  await page.locator('html.is-ready').waitFor()
  expect(await form(page).getByLabel('Street and number').inputValue()).toBe('')
})

test('what a customer typed before the session ended is not filled in for another customer', async () => {
  const [first, second] = [storefront.shop.client(), storefront.shop.client()]
  await Promise.all([first.register('anne@example.com'), second.register('emily@example.com')])
  const page = await openCheckout(await fillBag())
  const street = form(page).getByLabel('Street and number')
  const signInAs = async ({ token }: { token: string | undefined }) => {
    await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(token)})`)
    await page.evaluate(`localStorage.setItem('store.cart_id', '${(await fillBag()).cartId}')`)
    await page.goto(`${storefront.url}/checkout`)
    await form(page).waitFor()
    await page.locator('html.is-ready').waitFor()
  }
  await signInAs(first)
  await street.fill('12 Analytical Row')
  await signInAs(first)
  expect(await street.inputValue()).toBe('12 Analytical Row')
  await signInAs(second)
  expect(await street.inputValue()).toBe('')
})

test('a customer whose session has ended is led from the page of the bag to the sign-in', async () => {
  const email = 'joan@example.com'
  const customer = storefront.shop.client()
  await customer.register(email)
  const { variantId } = await fillBag()
  const { id } = await customer.cartWith(variantId, 2)
  const page = await storefront.open('/orders/lookup')
  await page.evaluate(`localStorage.setItem('store.session', 'an.ended.session')`)
  await page.evaluate(`localStorage.setItem('store.cart_id', ${JSON.stringify(id)})`)
  await page.goto(`${storefront.url}/cart`)
  const notice = page.locator('#bag-page .notice')
  await notice.getByText('You were signed out because it has been a while').waitFor()
  expect(await page.evaluate(`localStorage.getItem('store.session')`)).toBe(null)
  await notice.getByRole('link', { name: 'Sign in' }).click()
  await page.locator('#sign-in-email').fill(email)
  await page.locator('#sign-in-password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${storefront.url}/cart`)
  await expect.poll(() => page.getByRole('spinbutton').inputValue()).toBe('2')
})

test('a shopper changes a quantity by keyboard, keeps the focus, and gets the new total announced', async () => {
  const bag = await fillBag()
  const page = await openCheckout(bag)
  await page.goto(`${storefront.url}/cart`)
  const quantity = page.getByRole('spinbutton')
  const total = page.locator('#bag-page [role=status] .totals-sum dd')
  const kept = async () => Cart.parse((await storefront.shop.client().get(`/carts/${bag.cartId}`)).body).lines
  await quantity.focus()
  // A screen reader announces changes only within an element that is not replaced.
  await page.evaluate(`document.querySelector('#bag-page [role=status]').isSame = true`)
  const before = await total.textContent()
  for (const typed of ['2', '3', '4']) {
    await page.keyboard.press('ArrowUp')
    expect(await quantity.inputValue()).toBe(typed)
  }
  await expect.poll(async () => (await kept()).map((line) => line.quantity)).toEqual([4])
  await expect.poll(() => total.textContent()).not.toBe(before)
  await expect.poll(() => page.locator('#bag-count').textContent()).toBe('4')
  expect(await page.evaluate(`document.querySelector('#bag-page [role=status]').isSame`)).toBe(true)
  await expectAccessible(page)
  expect(await page.locator(':focus').getAttribute('name')).toBe('quantity')

  const sent: string[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST') sent.push(response.url())
  })
  await page.keyboard.press('Control+a')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('#bag-count').textContent()).toBe('5')
  expect(sent).toHaveLength(1)
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').getAttribute('name')).toBe('remove')
})

test('the bag shows both of two quantities that are changed quickly, though the reply to the first is late', async () => {
  const bag = await fillBag()
  const { variantId } = await fillBag()
  await storefront.shop.client().post(`/carts/${bag.cartId}/lines`, { variant_id: variantId, quantity: 1 })
  const page = await openCheckout(bag, { ...DESK, serviceWorkers: 'block' })
  await page.goto(`${storefront.url}/cart`)
  await page.locator('html.is-ready').waitFor()
  const late = Promise.withResolvers<void>()
  const replyLate = async (route: Route) => {
    const response = await route.fetch()
    await late.promise
    await route.fulfill({ response })
  }
  await page.route('**/bag/lines/*', replyLate, { times: 1 })
  const steps: string[] = []
  const isChange = (request: Request) => request.method() === 'POST'
  page.on('request', (request) => isChange(request) && steps.push('request'))
  page.on('response', (response) => isChange(response.request()) && steps.push('reply'))
  const quantities = page.getByRole('spinbutton')
  await quantities.nth(0).fill('2')
  await quantities.nth(1).fill('3')
  await page.keyboard.press('Tab')
  late.resolve()
  await expect.poll(() => steps).toEqual(['request', 'reply', 'request', 'reply'])
  await expect.poll(() => quantities.nth(1).getAttribute('value')).toBe('3')
  expect(await quantities.nth(0).inputValue()).toBe('2')
  expect(await quantities.nth(1).inputValue()).toBe('3')
})

test.each(['/cart', '/checkout'])('the bag in the header leads from %s to the page of the bag', async (path) => {
  const page = await openCheckout(await fillBag())
  await page.goto(`${storefront.url}${path}`)
  await page.locator('main').getByText(`Shirt checkout-${products}`).first().waitFor({ state: 'attached' })
  await page.locator('html.is-ready').waitFor()
  const opened = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url() === `${storefront.url}/cart`,
  )
  await page.locator('[data-opens-bag]').click()
  await opened
  await page.locator('#bag-page .bag-line').waitFor()
  expect(await page.locator('dialog[open]').count()).toBe(0)
})

test('an empty quantity changes nothing, and one that the shop rejects is corrected', async () => {
  const bag = await fillBag(2)
  const page = await openCheckout(bag)
  await page.goto(`${storefront.url}/cart`)
  const quantity = page.getByRole('spinbutton')
  for (const typed of ['', '99']) {
    await quantity.fill(typed)
    await page.keyboard.press('Tab')
    await expect.poll(() => quantity.inputValue()).toBe('2')
  }
  await page.locator('#bag-page .notice').waitFor()
  const { lines } = Cart.parse((await storefront.shop.client().get(`/carts/${bag.cartId}`)).body)
  expect(lines.map((line) => line.quantity)).toEqual([2])
  await quantity.fill('0')
  await page.keyboard.press('Tab')
  await page.locator('#bag-page').getByText('Your bag is empty').waitFor()
})

test('the bag says what has become more expensive or scarce since it was seen', async () => {
  const bag = await fillBag(3)
  const page = await openCheckout(bag)
  await page.goto(`${storefront.url}/cart`)
  await page.getByRole('link', { name: 'Check out' }).waitFor()
  expect(await page.locator('.bag-changes').count()).toBe(0)
  const price = { amount: 4321, currency: 'USD' }
  expect((await storefront.shop.admin.call('PATCH', `/admin/products/${bag.productId}`, { price })).status).toBe(200)
  const other = await fillBag()
  const faster = storefront.shop.client()
  await faster.post(`/carts/${other.cartId}/lines`, { variant_id: bag.variantId, quantity: 8 })
  const shipping_address = { name: 'Grace', line1: '1 Way', city: 'York', postalCode: 'YO1', country: 'GB' }
  await faster.post(`/carts/${other.cartId}/checkout`, { email: 'grace@example.com', shipping_address })
  // The bag reports a change once, and scarce stock as long as it is scarce.
  const reported: string[] = []
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('link', { name: 'Check out' }).waitFor()
      reported.push(...(await page.locator('.bag-changes li').allTextContents()))
      return reported
    })
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/is now \$43\.21; it was /),
        expect.stringMatching(/^Only 2 of .* are left\.$/),
      ]),
    )
})

test('a declined payment keeps the bag and what was typed, and the next attempt is paid', async () => {
  await setCheckout(storefront.shop, { mode: 'redirect', provider: 'demo' })
  try {
    const bag = await fillBag()
    const page = await openCheckout(bag)
    await fillIn(page)
    await page.getByRole('button', { name: /^Continue to payment/ }).click()
    await page.getByRole('button', { name: 'Simulate a declined card' }).click()
    await page.getByText('The payment was declined.').waitFor()
    await page.getByRole('button', { name: /^Cancel and go back/ }).click()
    await page.waitForURL('**/checkout?payment=cancelled')
    await page.getByText('The payment was not completed, and nothing was charged.').waitFor()
    await expect.poll(() => form(page).getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
    expect(await ordersOf(bag)).toEqual([])
    await page.getByRole('button', { name: /^Continue to payment/ }).click()
    await page.getByRole('button', { name: /^Pay / }).click()
    await orderOf(page)
    expect(await ordersOf(bag)).toHaveLength(1)
    await expect.poll(() => page.evaluate(`localStorage.getItem('store.cart_id')`)).toBe(null)
    await expect.poll(() => page.evaluate(`sessionStorage.getItem('store.checkout')`)).toBe(null)
  } finally {
    await setCheckout(storefront.shop, { mode: 'demo', provider: null })
  }
})

test('a shopper who comes back to an ended payment finds what was typed at the checkout', async () => {
  await setCheckout(storefront.shop, { mode: 'redirect', provider: 'demo' })
  try {
    const page = await openCheckout(await fillBag())
    await fillIn(page)
    await page.getByRole('button', { name: /^Continue to payment/ }).click()
    await page.getByRole('button', { name: /^Cancel and go back/ }).click()
    await page.waitForURL('**/checkout?payment=cancelled')
    // Some providers return the shopper to the same page whether or not the payment succeeded.
    await page.goto(`${storefront.url}/order/order_of_the_payment?paid=1`)
    await page.getByRole('heading', { name: 'The payment was not completed' }).waitFor()
    await page.locator('html.is-ready').waitFor()
    await page.getByRole('link', { name: 'Back to the checkout' }).click()
    await form(page).waitFor()
    await expect.poll(() => form(page).getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  } finally {
    await setCheckout(storefront.shop, { mode: 'demo', provider: null })
  }
})

test('a guest who looks at an earlier order during a payment finds the paid one afterwards', async () => {
  const earlier = await openCheckout(await fillBag())
  await fillIn(earlier)
  await placeOrder(earlier).click()
  const { number } = await orderOf(earlier)
  await setCheckout(storefront.shop, { mode: 'redirect', provider: 'demo' })
  try {
    const page = await openCheckout(await fillBag())
    await fillIn(page)
    await page.getByRole('button', { name: /^Continue to payment/ }).click()
    const tab = await page.context().newPage()
    await tab.goto(earlier.url())
    await tab.getByRole('heading', { name: `Order ${number}` }).waitFor()
    expect(await tab.locator('[hx-post="/orders/placed"]').count()).toBe(0)
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    await page.getByRole('button', { name: /^Pay / }).click()
    const paid = await orderOf(page)
    expect(paid.number).not.toBe(number)
    // Nor does the payment take the place of an earlier order, which scripts of a customer request with the session.
    const own = await fetch(earlier.url().replace(/\?.*/, ''), { headers: { cookie: cookies }, redirect: 'manual' })
    expect([own.status, own.headers.get('location')]).toEqual([404, null])
  } finally {
    await setCheckout(storefront.shop, { mode: 'demo', provider: null })
  }
})

test('a shopper who looks at an earlier order finds what was typed at the checkout', async () => {
  const page = await openCheckout(await fillBag())
  await fillIn(page)
  await placeOrder(page).click()
  const { number } = await orderOf(page)
  const earlier = page.url()
  const { cartId } = await fillBag()
  await page.evaluate((id) => localStorage.setItem('store.cart_id', id), cartId)
  await page.goto(`${storefront.url}/checkout`)
  await page.locator('html.is-ready').waitFor()
  expect(await form(page).getByLabel('Full name').inputValue()).toBe('')
  await fillIn(page, { 'Full name': 'Grace Hopper' })
  await page.goto(earlier)
  await page.getByRole('heading', { name: `Order ${number}` }).waitFor()
  await page.locator('html.is-ready').waitFor()
  await page.goto(`${storefront.url}/checkout`)
  await expect.poll(() => form(page).getByLabel('Full name').inputValue()).toBe('Grace Hopper')
})

test('a customer opens an earlier order after a payment that was canceled', async () => {
  const customer = storefront.shop.client()
  await customer.register('edith@example.com')
  const { variantId } = await fillBag()
  const { id, number } = await customer.buy(variantId)
  await setCheckout(storefront.shop, { mode: 'redirect', provider: 'demo' })
  try {
    const page = await openCheckout(await fillBag())
    await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
    await fillIn(page)
    await page.getByRole('button', { name: /^Continue to payment/ }).click()
    await page.getByRole('button', { name: /^Cancel and go back/ }).click()
    await page.waitForURL('**/checkout?payment=cancelled')
    await page.goto(`${storefront.url}/order/${id}`)
    await page.getByRole('heading', { name: `Order ${number}` }).waitFor()
    await expect.poll(() => page.title()).toContain(`Order ${number}`)
    await expectAccessible(page)
  } finally {
    await setCheckout(storefront.shop, { mode: 'demo', provider: null })
  }
})

test("a shopper leaves Razorpay's form and pays in the next one, which is the only thing from another host", async () => {
  const { keySecret: razorpayKeySecret, webhookSecret: razorpayWebhookSecret, keyId } = razorpay
  await storefront.shop.admin.post('/admin/credentials', { razorpayKeySecret, razorpayWebhookSecret })
  await setCheckout(storefront.shop, { mode: 'razorpay', provider: 'razorpay', publicKey: keyId })
  try {
    const bag = await fillBag()
    const page = await openCheckout(bag)
    await page.getByRole('button', { name: /^Continue to payment/ }).waitFor()
    await page.route('https://checkout.razorpay.com/v1/checkout.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'window.Razorpay = class { constructor(options) { window.form = options } open() {} }',
      }),
    )
    await fillIn(page)
    const attempt = () => form(page).locator('[name=attempt]').inputValue()
    const first = await attempt()
    const opened = async () => {
      await expect.poll(() => page.evaluate('window.form?.order_id')).toEqual(expect.any(String))
      return String(await page.evaluate('window.form.order_id'))
    }
    await placeOrder(page).click()
    await opened()
    await page.getByRole('link', { name: 'Back to the checkout' }).click()
    await expect.poll(() => form(page).getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
    // The same attempt would get the stored response about a payment whose goods may be sold by now.
    expect(await attempt()).not.toBe(first)
    await placeOrder(page).click()
    const orderId = await opened()
    await page.evaluate(`window.form.handler(${JSON.stringify(razorpay.pay(orderId))})`)
    await orderOf(page)
    expect(await ordersOf(bag)).toHaveLength(1)
    const policy = (await fetch(`${storefront.url}/checkout`)).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+' 'sha256-[^']+' https:\/\/checkout.razorpay.com;/)
    const elsewhere = (await fetch(`${storefront.url}/cart`)).headers.get('content-security-policy') ?? ''
    expect(elsewhere).not.toContain('razorpay')
  } finally {
    await setCheckout(storefront.shop, { mode: 'demo', provider: null })
  }
})
