import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  DESK,
  expectAccessible,
  openStorefront,
  PHONE,
  WITHOUT_SCRIPT,
  type TestStorefront,
} from '../support/storefront.ts'

let storefront: TestStorefront

beforeAll(async () => {
  storefront = await openStorefront()
})
afterAll(() => storefront.stop())
afterEach(() => storefront.closeWindows())

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' })
const options = (page: Page) => page.getByRole('option')

test('a shopper types a little, walks through the suggestions by arrows, and opens a product', async () => {
  const page = await storefront.open('/')
  await field(page).pressSequentially('wool')
  const listed = page.getByRole('listbox', { name: 'Suggestions' })
  await listed.waitFor()
  await expectAccessible(page)
  const found = page.getByRole('search').getByRole('status')
  expect(await found.textContent()).toBe(`${await options(page).count()} suggestions. Use the arrow keys.`)
  const product = listed.getByRole('group', { name: 'Products' }).getByRole('option').first()
  const id = await product.getAttribute('id')
  const place = await options(page).evaluateAll((all, wanted) => all.findIndex((one) => one.id === wanted), id)
  for (let pressed = 0; pressed <= place; pressed++) await page.keyboard.press('ArrowDown')
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(id)
  expect(await product.getAttribute('aria-selected')).toBe('true')
  const to = await product.getAttribute('href')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${to}`)
  expect(storefront.faults).toEqual([])
})

test('Escape closes the suggestions and keeps what was typed, and Enter searches for it', async () => {
  const page = await storefront.open('/')
  await field(page).pressSequentially('linen')
  await options(page).first().waitFor()
  await page.keyboard.press('Escape')
  expect(await options(page).first().isVisible()).toBe(false)
  expect(await field(page).getAttribute('aria-expanded')).toBe('false')
  expect(await field(page).inputValue()).toBe('linen')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=linen')
  await page.getByRole('heading', { name: '“linen”' }).waitFor()
  expect(await page.locator('#grid .card').count()).toBeGreaterThan(0)
})

test('a shopper who types on gets suggestions for the last words only', async () => {
  const page = await storefront.open('/')
  // The first response comes after the second.
  await page.route('**/search/suggest?q=wool', async (route) => {
    await page.waitForResponse('**/search/suggest?q=linen')
    await route.continue().catch(() => {})
  })
  const sent = page.waitForRequest('**/search/suggest?q=wool')
  await field(page).fill('wool')
  await sent
  await field(page).fill('linen')
  await options(page).filter({ hasText: 'Linen' }).first().waitFor()
  expect(await options(page).filter({ hasText: /wool/i }).count()).toBe(0)
})

test('a shopper on a phone opens the field by its icon', async () => {
  const page = await storefront.open('/', PHONE)
  expect(await field(page).isVisible()).toBe(false)
  await page.getByRole('search').getByRole('button', { name: 'Search' }).click()
  await field(page).pressSequentially('shirt')
  await options(page).first().waitFor()
  await expectAccessible(page)
  await options(page).first().tap()
  await page.waitForURL('**/search?q=*')
  await expectAccessible(page)
})

test('without script the field is a form, and its results have filters', async () => {
  const page = await storefront.open('/', { ...DESK, ...WITHOUT_SCRIPT })
  await page.getByLabel('Search the shop').fill('sweater')
  await page.getByRole('search').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: '“sweater”' }).waitFor()
  const all = await page.locator('#grid .card').count()
  await page.locator('.choice', { hasText: /^XXL$/ }).click()
  await page.locator('.filters').getByRole('button', { name: 'Apply' }).click()
  expect(page.url()).toContain('q=sweater')
  expect(await page.locator('#grid .card').count()).toBeLessThan(all)
  expect(await page.locator('head meta[name=robots]').getAttribute('content')).toBe('noindex')
})

test('a search without results offers categories, and what others like', async () => {
  const page = await storefront.open('/search?q=qqqqxxxx')
  await page.getByRole('heading', { name: 'We found nothing for “qqqqxxxx”' }).waitFor()
  expect(await page.locator('.search-liked .card').count()).toBe(4)
  await expectAccessible(page)
  await page.locator('main').getByRole('link', { name: 'Accessories' }).click()
  await page.waitForURL('**/shop/accessories')
})

test('a phone shows long names without a space in its width, and a search without results no empty category', async () => {
  const name = 'W'.repeat(120)
  const { admin } = storefront.shop
  const product = await storefront.shop.stockProduct('long', 5)
  expect((await admin.post('/admin/categories', { slug: 'long', name })).status).toBe(200)
  expect((await admin.post('/admin/categories', { slug: 'empty', name: 'Empty shelf' })).status).toBe(200)
  const change = { title: name, subtitle: name, description: name, categories: ['long'], tags: [name.slice(0, 50)] }
  expect((await admin.call('PATCH', `/admin/products/${product.id}`, change)).status).toBe(200)
  const page = await storefront.open('/search?q=qqqqzzzz', PHONE)
  const link = page.locator('main').getByRole('link', { name })
  await expect.poll(async () => (await page.reload(), link.count())).toBe(1)
  expect(await page.locator('main').getByRole('link', { name: 'Empty shelf' }).count()).toBe(0)
  const widths: Record<string, unknown> = {}
  const measure = async (path: string): Promise<void> => {
    widths[path] = await page.evaluate('document.documentElement.scrollWidth')
  }
  for (const path of ['/search?q=qqqqzzzz', `/search?q=${name}`, '/shop/long', '/shop', '/', '/product/long']) {
    await page.goto(`${storefront.url}${path}`)
    await measure(path)
  }
  await page.getByRole('button', { name: 'Add to bag' }).click()
  await page.locator('#bag').getByRole('link', { name: 'Check out' }).click()
  await page.getByLabel('Full name').waitFor()
  await measure('/checkout')
  await page.goto(`${storefront.url}/cart`)
  await page.locator('main .bag-line').waitFor()
  await measure('/cart')
  expect([...new Set(Object.values(widths))], JSON.stringify(widths)).toEqual([360])
})

test('hostile search texts are treated as plain text', async () => {
  for (const q of ['"><script>alert(1)</script>', '%', '\0', 'a'.repeat(5000), '🧦'.repeat(50), "'); drop table"]) {
    const query = new URLSearchParams({ q }).toString()
    const [page, suggested] = await Promise.all([
      fetch(`${storefront.url}/search?${query}`),
      fetch(`${storefront.url}/search/suggest?${query}`, { headers: { 'HX-Request': 'true' } }),
    ])
    expect([page.status, suggested.status], q.slice(0, 20)).toEqual([200, 200])
    expect(await page.text()).not.toContain('<script>alert')
  }
})
