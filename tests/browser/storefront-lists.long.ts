import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
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

const count = (page: Page) => page.locator('#list-count')
const cards = (page: Page) => page.locator('#grid .card')
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** What the shop itself finds. */
async function total(query: string): Promise<number> {
  const response = await fetch(`${storefront.shop.shop.url}/products?${query}`)
  return z.object({ total: z.int() }).parse(await response.json()).total
}

test('a shopper narrows a category in place, shares the address, and goes back step by step', async () => {
  const page = await storefront.open('/shop/women')
  expect(await count(page).textContent()).toBe(`${await total('category=women')} products`)
  await page.locator('.choice', { hasText: /^M$/ }).click()
  const found = await total('category=women&sizes=M')
  await expect.poll(() => count(page).textContent()).toBe(`${found} products`)
  await page.getByLabel('Lowest price in USD').fill('150')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/shop/women?sizes=M&min_price=150')
  const narrower = await total('category=women&sizes=M&min_price=15000')
  await expect.poll(() => count(page).textContent()).toContain(`${narrower} product`)
  expect(narrower).toBeLessThan(found)
  await expectAccessible(page)

  const other = await storefront.open('/shop/women?sizes=M&min_price=150')
  expect(await cards(other).count()).toBe(narrower)
  expect(await other.getByLabel('Lowest price in USD').inputValue()).toBe('150')
  expect(await other.getByLabel('M', { exact: true }).isChecked()).toBe(true)

  await page.goBack()
  await page.waitForURL('**/shop/women?sizes=M')
  await expect.poll(() => count(page).textContent()).toBe(`${found} products`)
  expect(await page.getByLabel('Lowest price in USD').inputValue()).toBe('')
  await link(page, 'Remove the filter M').click()
  await page.waitForURL('**/shop/women')
  await expect.poll(() => page.getByLabel('M', { exact: true }).isChecked()).toBe(false)
  expect(storefront.faults).toEqual([])
})

test('a shopper on a phone opens the filters as a sheet, and the sheet says how many products there are', async () => {
  const page = await storefront.open('/shop', PHONE)
  const filters = page.getByRole('form', { name: 'Filters' })
  expect(await filters.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filters.waitFor()
  await filters.getByText('Black', { exact: true }).click()
  const found = await total('colors=Black')
  const done = filters.getByRole('button', { name: `Show ${found} products` })
  await done.waitFor()
  await expectAccessible(page)
  await done.click()
  await filters.waitFor({ state: 'hidden' })
  expect(await cards(page).count()).toBe(Math.min(24, found))
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await expectAccessible(page)
})

test('a shopper loads more products by keyboard, and continues with the first new one', async () => {
  const page = await storefront.open('/shop')
  await page.getByRole('button', { name: 'Show more' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => cards(page).count()).toBe(48)
  const first = await cards(page).nth(24).getByRole('link').getAttribute('href')
  await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('href')`)).toBe(first)
  const slugs = await cards(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((each) => each.getAttribute('href')))
  expect(new Set(slugs).size).toBe(48)
})

test('without script a shopper filters by a form, sorts, and turns pages by links', async () => {
  const page = await storefront.open('/shop', { ...DESK, ...WITHOUT_SCRIPT })
  await page.locator('.choice', { hasText: /^S$/ }).click()
  await page.locator('.choice', { hasText: /^M$/ }).click()
  await page.getByLabel('Sort by').selectOption('Price, low to high')
  await page.locator('.filters').getByRole('button', { name: 'Apply' }).click()
  expect(await count(page).textContent()).toBe(`${await total('sizes=S,M')} products`)
  const first = await cards(page).first().locator('.price-now').textContent()
  await link(page, 'Next page').click()
  expect(await page.getByText('Page 2 of').isVisible()).toBe(true)
  expect(await cards(page).first().locator('.price-now').textContent()).not.toBe(first)
  await link(page, 'Previous page').click()
  expect(await cards(page).first().locator('.price-now').textContent()).toBe(first)
  await link(page, 'Clear all').click()
  expect(await count(page).textContent()).toBe(`${await total('')} products`)
})

test('without script the filters open on a phone too', async () => {
  const page = await storefront.open('/shop/men', { ...PHONE, ...WITHOUT_SCRIPT })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.locator('.choice', { hasText: /^XL$/ }).click()
  await page.locator('.filters').getByRole('button', { name: 'Apply' }).click()
  expect(await count(page).textContent()).toContain(`${await total('category=men&sizes=XL')} product`)
})

test('a list without results says what to do', async () => {
  const page = await storefront.open('/shop?sizes=XXS&min_price=9000')
  await page.getByRole('heading', { name: 'No products match all filters' }).waitFor()
  await expectAccessible(page)
  await page.locator('.nothing').getByRole('link', { name: 'Clear all' }).click()
  await expect.poll(() => cards(page).count()).toBe(24)
})

test('hostile and mistyped addresses lead to a list or to status 404, and run no script', async () => {
  const status = async (path: string) => (await fetch(`${storefront.url}${path}`)).status
  const lists = [
    '/shop?page=-1&sort=x&min_price=abc&in_stock=maybe',
    '/shop?page=2&cursor=abc',
    `/shop?colors=${Array.from({ length: 200 }, (_, index) => index).join(',')}`,
    '/shop?sizes=%00%27%3Cscript%3E',
    `/shop?min_price=99999999999999999999&max_price=1e9`,
  ]
  for (const path of lists) expect(await status(path), path).toBe(200)
  for (const path of ['/shop/no-such', '/collections/no-such', '/shop?page=99', '/pages/no-such', '/shop/%3Cb%3E']) {
    expect(await status(path), path).toBe(404)
  }
  const hostile = await (await fetch(`${storefront.url}/shop?sizes=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`)).text()
  expect(hostile).not.toContain('<script>alert')
})

test('search engines index whole lists only, each at one address', async () => {
  const page = await storefront.open('/shop?page=2')
  const head = (selector: string, name: string) => page.locator(`head ${selector}`).getAttribute(name)
  expect(await head('link[rel=canonical]', 'href')).toBe(`${storefront.url}/shop?page=2`)
  expect(await head('link[rel=prev]', 'href')).toBe('/shop')
  expect(await head('link[rel=next]', 'href')).toBe('/shop?page=3')
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((text) => JSON.parse(text)['@type'])).toEqual(['ItemList', 'BreadcrumbList'])
  await page.goto(`${storefront.url}/shop?sort=newest`)
  expect(await head('meta[name=robots]', 'content')).toBe('noindex')
})

test('the pages of information are complete, and sizes change their unit with and without script', async () => {
  for (const device of [DESK, { ...DESK, ...WITHOUT_SCRIPT }]) {
    const page = await storefront.open('/pages/size-guide', device)
    await page.getByRole('cell', { name: '98', exact: true }).waitFor()
    await link(page, 'Inches').click()
    await page.getByRole('cell', { name: '38.6', exact: true }).waitFor()
  }
  const page = await storefront.open('/pages/shipping')
  await page.getByText('Standard shipping is $6.95, free over $150.00.').waitFor()
  await page.getByRole('row', { name: 'Express Next working day $14.95' }).waitFor()
  for (const slug of ['shipping', 'size-guide', 'care', 'contact']) {
    await page.goto(`${storefront.url}/pages/${slug}`)
    await expectAccessible(page)
  }
})

test('a shopper without a network reads pages seen before, and on others that they are offline', async () => {
  const page = await storefront.open('/shop/women')
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await page.goto(`${storefront.url}/collections/gifts`)
  await page.goto(`${storefront.url}/cart`)
  await page.context().setOffline(true)
  await page.goto(`${storefront.url}/collections/gifts`)
  await page.getByRole('heading', { level: 1, name: 'Gifts' }).waitFor()
  for (const path of ['/shop/kids', '/cart']) {
    await page.goto(`${storefront.url}${path}`)
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  }
  await expectAccessible(page)
})

test('the sitemap has each product and each list once', async () => {
  const { admin } = storefront.shop
  const products = Array.from({ length: 500 }, (_, index) => ({
    slug: `plain-shirt-${index}`,
    title: `Plain shirt ${index}`,
    price: { amount: 4000, currency: 'USD' },
    images: [{ url: 'https://pictures.example/shirt.jpg?a=1&b=2', alt: 'A shirt' }],
    options: [{ name: 'Size', values: ['M'] }],
    variants: [{ sku: `PLAIN-${index}`, options: { Size: 'M' }, inventory: 1 }],
  }))
  expect((await admin.post('/admin/import', { mode: 'merge', products })).status).toBe(200)
  const addresses = async (path: string): Promise<string[]> => {
    const text = await (await fetch(`${storefront.url}${path}`)).text()
    return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address ?? '')
  }
  const parts = await addresses('/sitemap.xml')
  expect(parts).toEqual(['pages', 'products-1'].map((name) => `${storefront.url}/sitemap-${name}.xml`))
  const [pages, listed] = await Promise.all([addresses('/sitemap-pages.xml'), addresses('/sitemap-products-1.xml')])
  expect(pages).toContain(`${storefront.url}/collections/gifts`)
  expect(new Set(listed).size).toBe(await total(''))
  expect(listed).toContain(`${storefront.url}/product/plain-shirt-499`)
  expect((await fetch(`${storefront.url}/sitemap-products-2.xml`)).status).toBe(404)
  const robots = await (await fetch(`${storefront.url}/robots.txt`)).text()
  expect(robots).toContain(`Sitemap: ${storefront.url}/sitemap.xml`)
})

test('the shop has a manifest with which a phone can install it', async () => {
  const Manifest = z.looseObject({ icons: z.array(z.looseObject({ src: z.string(), type: z.string() })) })
  const manifest = Manifest.parse(await (await fetch(`${storefront.url}/manifest.webmanifest`)).json())
  expect(manifest).toMatchObject({ name: 'Wrenfold', start_url: '/', display: 'standalone' })
  for (const { src, type } of manifest.icons) {
    expect((await fetch(`${storefront.url}${src}`)).headers.get('content-type')).toBe(type)
  }
})
