import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Product } from '@storefront/contracts'
import { tabTo } from '../support/console.ts'
import {
  DESK,
  expectAccessible,
  openStorefront,
  PHONE,
  WITHOUT_SCRIPT,
  type TestStorefront,
} from '../support/storefront.ts'

let storefront: TestStorefront

const SHIRT = '/product/linen-camp-shirt'
/** The service worker would answer from its cache, which a test cannot slow down. */
const WITHOUT_CACHE = { ...PHONE, serviceWorkers: 'block' } as const

beforeAll(async () => {
  storefront = await openStorefront()
})
afterEach(() => storefront.closeWindows())
afterAll(() => storefront.stopWithoutFault())

const choice = (page: Page, name: string): Locator => page.getByRole('radio', { name, exact: true })
const add = (page: Page): Locator => page.locator('#buy').getByRole('button')
const bag = (page: Page): Locator => page.getByRole('dialog', { name: 'Your bag' })

async function productOf(slug: string): Promise<Product> {
  return Product.parse((await storefront.shop.client().get(`/products/${slug}`)).body)
}

async function change(slug: string, changes: object): Promise<void> {
  const { id } = await productOf(slug)
  expect((await storefront.shop.admin.call('PATCH', `/admin/products/${id}`, changes)).status).toBe(200)
}

async function redirectOf(path: string): Promise<[status: number, to: string | null]> {
  const response = await fetch(`${storefront.url}${path}`, { redirect: 'manual' })
  return [response.status, response.headers.get('location')]
}

test('what a shopper presses before the scripts are loaded takes effect when they are', async () => {
  const page = await storefront.open('/', WITHOUT_CACHE)
  const network = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await network.promise
    await route.continue()
  })
  await page.goto(`${storefront.url}${SHIRT}`)
  await choice(page, 'Clay').check()
  await choice(page, 'L').check()
  await add(page).click()
  await add(page).click()
  expect(await bag(page).count()).toBe(0)
  network.resolve()
  await bag(page).getByText('Linen Camp Shirt').waitFor()
  expect(await bag(page).getByRole('spinbutton').inputValue()).toBe('1')
  expect(await page.context().cookies()).toEqual([])
})

test('a page whose scripts fail to load works as one without scripts', async () => {
  const page = await storefront.open('/', WITHOUT_CACHE)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(`${storefront.url}${SHIRT}`)
  await choice(page, 'Clay').check()
  await choice(page, 'L').check()
  await add(page).click()
  await page.getByText('Added to your bag.').waitFor()
  expect(await page.locator('.bag-line').allTextContents()).toEqual([expect.stringContaining('Linen Camp Shirt')])
})

test('a shopper chooses a color, sees its pictures, and shares a link to the choice', async () => {
  const page = await storefront.open(SHIRT)
  await page.getByRole('heading', { level: 1, name: 'Linen Camp Shirt' }).waitFor()
  await choice(page, 'Clay').check()
  await page.locator('.slides img[alt="Linen Camp Shirt in Clay, front"]').waitFor()
  expect(await page.locator('.slides img[alt*="Sage"]:visible').count()).toBe(0)
  await choice(page, 'L').check()
  const { variants } = await productOf('linen-camp-shirt')
  const chosen = variants.find(({ options }) => options['Color'] === 'Clay' && options['Size'] === 'L')
  expect(page.url()).toContain(`?variant=${chosen?.id}`)

  const friend = await storefront.open(new URL(page.url()).search.replace(/^/, SHIRT), WITHOUT_SCRIPT)
  expect(await choice(friend, 'Clay').isChecked()).toBe(true)
  expect(await choice(friend, 'L').isChecked()).toBe(true)
})

test('a size that is sold out in a color says so, and cannot be bought', async () => {
  const page = await storefront.open(SHIRT)
  await choice(page, 'M sold out').check()
  await page.getByText('Sold out', { exact: true }).first().waitFor()
  expect(await add(page).isDisabled()).toBe(true)
  await choice(page, 'Oat').check()
  expect(await choice(page, 'M').isChecked()).toBe(true)
  expect(await add(page).textContent()).toBe('Add to bag')
  expect(await add(page).isDisabled()).toBe(false)
})

test('the price and the number left follow the choice', async () => {
  const page = await storefront.open('/product/alpine-down-parka')
  const price = page.locator('.product-buy > .chosen-price')
  await price.getByText('from $345.00').waitFor()
  const { variants } = await productOf('alpine-down-parka')
  const expensive = variants.find((variant) => variant.price.amount === 36_000)
  await choice(page, expensive?.options['Color'] ?? '').check()
  await page.locator(`input[name="option.Size"][value="${expensive?.options['Size']}"]`).check()
  await price.getByText('$360.00').waitFor()
  const scarce = variants.find(({ inventory }) => inventory > 0 && inventory < 5)
  await choice(page, scarce?.options['Color'] ?? '').check()
  await page.locator(`input[name="option.Size"][value="${scarce?.options['Size']}"]`).check()
  const stock = page.locator('.stock')
  await stock.getByText('Only').waitFor()
  expect(await stock.textContent()).toBe(`Only ${scarce?.inventory} left`)
})

test('a shopper buys by keyboard alone, and learns which choice is missing', async () => {
  const page = await storefront.open(SHIRT)
  await tabTo(add(page))
  await page.keyboard.press('Enter')
  await page.getByText('Please choose: Size').waitFor()
  expect(await page.locator(':focus').getAttribute('name')).toBe('option.Size')
  await page.keyboard.press('Space')
  await page.getByText('Please choose: Size').waitFor({ state: 'hidden' })
  await tabTo(add(page))
  await page.keyboard.press('Enter')
  await bag(page).getByText('Added to your bag.').waitFor()
  await bag(page).getByText('Sage · XS').waitFor()
  await page.keyboard.press('Escape')
  await bag(page).waitFor({ state: 'hidden' })
})

test('a double click puts one unit into the bag', async () => {
  const page = await storefront.open(SHIRT)
  await choice(page, 'Clay').check()
  await choice(page, 'L').check()
  await add(page).click()
  await bag(page).getByText('Added to your bag.').waitFor()
  await page.keyboard.press('Escape')
  await bag(page).waitFor({ state: 'hidden' })
  await add(page).dblclick()
  await bag(page).waitFor()
  await page.locator('#buy.htmx-request').waitFor({ state: 'detached' })
  expect(await bag(page).getByRole('spinbutton').inputValue()).toBe('2')
})

test('a shopper without scripts buys, and learns when a choice is missing', async () => {
  const page = await storefront.open(SHIRT, WITHOUT_SCRIPT)
  await page.getByText(/^Sold out: .*Sage M/).waitFor()
  await choice(page, 'Oat').check()
  await choice(page, 'S').check()
  await page.getByLabel('Quantity', { exact: true }).fill('2')
  await add(page).click()
  await page.getByRole('heading', { name: 'Your bag' }).waitFor()
  await page.getByText('Oat · S').waitFor()
  expect(await page.getByLabel('Quantity of Linen Camp Shirt').inputValue()).toBe('2')

  const response = await fetch(`${storefront.url}/bag/lines`, {
    method: 'POST',
    body: new URLSearchParams({ product: 'linen-camp-shirt', 'option.Color': 'Oat' }),
  })
  expect(await response.text()).toContain('Please choose a size and a color first.')
})

test('a variant that sells out while the shopper looks at it is not put into the bag', async () => {
  const page = await storefront.open('/product/waffle-henley')
  await choice(page, 'Pine').check()
  await choice(page, 'L').check()
  const { variants } = await productOf('waffle-henley')
  const chosen = variants.find(({ options }) => options['Color'] === 'Pine' && options['Size'] === 'L')
  const path = `/admin/variants/${chosen?.id}/inventory`
  expect((await storefront.shop.admin.call('PATCH', path, { quantity: 0 })).status).toBe(200)
  await add(page).click()
  await bag(page)
    .getByText(/sold out/i)
    .waitFor()
  await bag(page).getByText('Your bag is empty').waitFor()
  expect(await bag(page).getByRole('link', { name: 'Waffle Henley' }).count()).toBe(0)
})

test('a new price is on the page within two seconds of the merchant’s change', async () => {
  const page = await storefront.open('/product/ribbed-tank')
  await change('ribbed-tank', { price: { amount: 1234, currency: 'USD' } })
  const price = page.locator('.product-buy > .chosen-price')
  const read = async () => {
    await page.reload()
    return price.textContent()
  }
  await expect.poll(read, { timeout: 2000 }).toContain('$12.34')
})

test('a former address redirects to the new one, and an unknown one is not found', async () => {
  await change('bobble-hat', { slug: 'pompom-hat' })
  expect(await redirectOf('/product/bobble-hat')).toEqual([301, '/product/pompom-hat'])
  expect(await redirectOf('/product/no-such-thing')).toEqual([404, null])
  await change('pompom-hat', { published: false })
  await expect.poll(() => redirectOf('/product/pompom-hat'), { timeout: 4000 }).toEqual([404, null])
})

test('a shopper looks at a picture in full size, and at the sizes in inches', async () => {
  const page = await storefront.open(SHIRT, PHONE)
  await page.locator('.slides a').first().click()
  const viewer = page.getByRole('dialog', { name: 'Pictures of Linen Camp Shirt' })
  await viewer.getByText('1 / 2 · Linen Camp Shirt in Sage, front').waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer.getByText('2 / 2 · Linen Camp Shirt in Sage, back').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Size chart' }).click()
  const chart = page.getByRole('dialog', { name: 'Size chart' })
  await chart.getByRole('cell', { name: '49', exact: true }).waitFor()
  await chart.getByLabel('inches').check()
  await chart.getByRole('cell', { name: '19.3', exact: true }).waitFor()
  await expectAccessible(page)
})

test('the delivery date is that of the country that was chosen last', async () => {
  const page = await storefront.open(SHIRT)
  await page.getByText(/arrives .* \(Standard\)/).waitFor()
  await page.getByLabel('Deliver to').selectOption('Germany')
  await page.goto(`${storefront.url}/product/market-tote`)
  await page.getByText(/Order (?:by .* today|now): arrives/).waitFor()
  expect(await page.getByLabel('Deliver to').inputValue()).toBe('DE')
})

test('a bag that was closed stays closed when another part of the page is loaded', async () => {
  const page = await storefront.open(SHIRT)
  await choice(page, 'Clay').check()
  await choice(page, 'L').check()
  await add(page).click()
  await bag(page).getByText('Linen Camp Shirt').waitFor()
  await bag(page).getByRole('button', { name: 'Close' }).click()
  await page.evaluate(`addEventListener('htmx:after:swap', () => document.body.classList.add('is-swapped'))`)
  await page.getByLabel('Deliver to').selectOption('Germany')
  await page.locator('body.is-swapped').waitFor()
  expect(await bag(page).count()).toBe(0)
})

test('a shopper who goes back from the reviews has the same page, on which the buttons work', async () => {
  const page = await storefront.open(SHIRT)
  const restored: string[] = []
  page.on('request', (request) => {
    if (request.headers()['hx-history-restore-request'] !== undefined) restored.push(request.url())
  })
  await page.getByText(/arrives .* \(Standard\)/).waitFor()
  await page.locator('.product-rating').click()
  await choice(page, 'Clay').check()
  await choice(page, 'L').check()
  await page.waitForURL(/\?variant=.+#reviews$/)
  await page.goBack()
  await add(page).click()
  await bag(page).getByText('Linen Camp Shirt').waitFor()
  expect(restored).toEqual([])
})

test('a shopper sees what they looked at before', async () => {
  const page = await storefront.open('/product/market-tote')
  await page.goto(`${storefront.url}${SHIRT}`)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const viewed = page.getByRole('region', { name: 'Recently viewed' })
  await viewed.getByRole('link', { name: 'Market Tote' }).waitFor()
  expect(await viewed.getByRole('article').count()).toBe(1)
})

test.each([
  ['a desk', DESK],
  ['no scripts', WITHOUT_SCRIPT],
])('a shopper with %s reads older reviews', async (_name, device) => {
  const page = await storefront.open(SHIRT, device)
  const reviews = page.getByRole('region', { name: 'Reviews', exact: true })
  expect(await reviews.getByRole('article').count()).toBe(5)
  await reviews.getByRole('link', { name: 'Older reviews' }).click()
  await reviews.getByText('Page 2 of 2').waitFor()
  expect(await reviews.getByRole('article').count()).toBe(1)
})

test('a signed-in customer reviews a product; a guest signs in first', async () => {
  const guest = await storefront.open(SHIRT)
  await guest.getByRole('link', { name: 'Write a review' }).click()
  await guest.getByText('Please sign in to write a review.').waitFor()

  const customer = storefront.shop.client()
  await customer.register('reviewer@example.com')
  const page = await storefront.open(SHIRT)
  await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
  await page.getByRole('link', { name: 'Write a review' }).click()
  await choice(page, '5 stars').check()
  const name = page.getByLabel('Name to show')
  await name.fill(' ')
  await page.getByRole('button', { name: 'Send review' }).click()
  await page.getByText('Enter the name to show with your review.').waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await name.fill('Ada')
  await page.getByLabel('Your review (optional)').fill('<b>Cool</b> in June.')
  await page.getByRole('button', { name: 'Send review' }).click()
  await page.getByText('Your review appears here when we have read it.').waitFor()
})

test('a review that is being written stays beside older ones, and the link to write one leads to it', async () => {
  const customer = storefront.shop.client()
  await customer.register('careful-reviewer@example.com')
  const page = await storefront.open(SHIRT)
  await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
  const link = page.getByRole('link', { name: 'Write a review' })
  await link.click()
  await choice(page, '4 stars').check()
  const body = page.getByLabel('Your review (optional)')
  await body.fill('Took me an hour.')
  const reviews = page.getByRole('region', { name: 'Reviews', exact: true })
  await reviews.getByRole('link', { name: 'Older reviews' }).click()
  await reviews.getByText('Page 2 of 2').waitFor()
  expect(await body.inputValue()).toBe('Took me an hour.')
  await link.click()
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('rating')
  expect(await body.inputValue()).toBe('Took me an hour.')
  expect(await choice(page, '4 stars').isChecked()).toBe(true)
})

test('a customer whose session ends while they write a review sends it after a new sign-in', async () => {
  const email = 'slow-reviewer@example.com'
  const customer = storefront.shop.client()
  await customer.register(email)
  const page = await storefront.open(SHIRT)
  await page.evaluate(`localStorage.setItem('store.session', ${JSON.stringify(customer.token)})`)
  await page.getByRole('link', { name: 'Write a review' }).click()
  await choice(page, '4 stars').check()
  await page.getByLabel('Name to show').fill('Ada')
  await page.getByLabel('Your review (optional)').fill('Took me an hour.')
  expect((await customer.post('/auth/logout', { everywhere: true })).status).toBe(200)
  await page.getByRole('button', { name: 'Send review' }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'You were signed out.' })
  await problem.waitFor()
  await expectAccessible(page)

  const opened = page.context().waitForEvent('page')
  await problem.getByRole('link', { name: 'Sign in' }).click()
  const tab = await opened
  await tab.locator('#sign-in-email').fill(email)
  await tab.locator('#sign-in-password').fill('correct horse battery')
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL(`${storefront.url}${SHIRT}/review`)
  await tab.getByLabel('Name to show').waitFor()

  expect(await page.getByLabel('Your review (optional)').inputValue()).toBe('Took me an hour.')
  expect(await choice(page, '4 stars').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Send review' }).click()
  await page.getByText('Your review appears here when we have read it.').waitFor()
})

test('a shopper requests an alert for a sold-out size, and corrects a mistyped email address', async () => {
  const page = await storefront.open(SHIRT)
  await choice(page, 'M sold out').check()
  const form = page.locator('form.alert-form').first()
  expect(await form.getByLabel('Choose what you are waiting for').locator('option:checked').textContent()).toBe(
    'Sage, M',
  )
  await form.getByLabel('Email').fill('ada@nowhere')
  await form.getByRole('button', { name: 'Email me' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await form.getByLabel('Email').fill('patient@example.com')
  await form.getByRole('button', { name: 'Email me' }).click()
  await page.getByText('Please open the link in the email to patient@example.com.').waitFor()
})

test('a shopper without scripts requests an alert for a lower price', async () => {
  const page = await storefront.open('/product/market-tote', WITHOUT_SCRIPT)
  await page.getByText('Tell me when the price falls').click()
  const form = page.locator('form.alert-form')
  await form.getByLabel('Email').fill('patient@example.com')
  await form.getByRole('button', { name: 'Email me' }).click()
  await page.getByText('Please open the link in the email to patient@example.com.').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tell me when the price falls')
})

test.each([
  ['phone', PHONE],
  ['desk', DESK],
])('the page is accessible on a %s and does not scroll sideways', async (_name, device) => {
  const page = await storefront.open(SHIRT, device)
  await page.getByText(/Order (?:by .* today|now): arrives/).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('a screen reader reads a single review as one', async () => {
  const page = await storefront.open('/product/penny-loafer')
  const texts = await page.getByText(/of 5 stars, /).allTextContents()
  expect(texts.slice(0, 1)).toEqual([expect.stringMatching(/of 5 stars, 1 review$/)])
})

test('search engines read the price, the stock and the rating of a product', async () => {
  const page = await storefront.open(SHIRT)
  const data: unknown[] = await page.evaluate(
    `[...document.querySelectorAll('[type="application/ld+json"]')].map((script) => JSON.parse(script.textContent))`,
  )
  const { variants } = await productOf('linen-camp-shirt')
  expect(data[0]).toMatchObject({
    '@type': 'Product',
    name: 'Linen Camp Shirt',
    offers: { '@type': 'AggregateOffer', lowPrice: '92.00', priceCurrency: 'USD', offerCount: variants.length },
    aggregateRating: { ratingValue: 4.33, reviewCount: 6 },
  })
  expect(data[1]).toMatchObject({ '@type': 'BreadcrumbList' })
})
