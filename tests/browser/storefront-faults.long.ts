import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { SERVICE_NAMES } from '@storefront/contracts'
import { expectShopBalanced } from '../support/shop-balance.ts'
import { stopAfter } from '../support/shop.ts'
import { DESK, openStorefront, PHONE, type TestStorefront } from '../support/storefront.ts'

/** How long a killed server is away: it does not restart itself. */
const AWAY_MS = 3000
/** More than a shop needs to recover: a shopper presses the button again after each sentence that says so. */
const MAX_TRIES = 12

let storefront: TestStorefront
let round = 0

beforeAll(async () => {
  storefront = await openStorefront({ processes: true })
})
afterEach(() => storefront.closeWindows())
afterAll(async () => {
  await stopAfter(expectShopBalanced(storefront.shop), storefront)
  expect(storefront.faults).toEqual([])
})

async function fillBagAndForm(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to bag' }).click()
  await page.locator('#bag').getByRole('link', { name: 'Check out' }).click()
  const form = page.locator('#checkout-form')
  const address = {
    Email: email,
    'Full name': 'Ada Lovelace',
    'Street and number': '12 Analytical Row',
    'Postal code': '97204',
    'Town or city': 'Portland',
  }
  for (const [label, value] of Object.entries(address)) await form.getByLabel(label).fill(value)
}

/** Presses the button until there is an order, as a shopper does who reads that the shop is away for a moment. */
async function order(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^(?:Place the order|Continue to payment)/ })
  const isOrdered = () => new URL(page.url()).pathname.startsWith('/order/')
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // The last press may still be on its way, after the response to the one before.
    await expect.poll(async () => isOrdered() || (await button.isEnabled())).toBe(true)
    if (isOrdered()) break
    await button.click()
    const message = page
      .locator('#problems:not(:empty), #notice:not(:empty), #checkout-away:not(:empty)')
      .first()
      .waitFor()
    // The shopper sees the order, or reads why there is none yet.
    await Promise.race([page.waitForURL('**/order/**'), message])
    // A shopper reads the message before the next press.
    await page.waitForTimeout(1000)
  }
  await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor()
}

async function openProduct(device = DESK): Promise<{ page: Page; email: string; slug: string }> {
  const slug = `fault-${++round}`
  await storefront.shop.stockProduct(slug, 3)
  const page = await storefront.open(`/product/${slug}`, device)
  // Its only size is chosen, because a shopper has nothing to choose.
  const size = page.getByRole('radio', { name: 'M' })
  if ((await size.count()) > 0) await size.first().check({ force: true })
  return { page, slug, email: `${slug}@example.com` }
}

/** One order, one unit: neither none nor two. */
async function expectOneOrder(email: string, slug: string): Promise<void> {
  const orders = await storefront.shop.sql<{ id: string }>(`select id from orders.orders where email = $1`, [email])
  expect(orders).toHaveLength(1)
  await expect.poll(() => storefront.shop.client().inventory(slug)).toBe(2)
}

test.each(SERVICE_NAMES.map((name) => [name]))('a shopper buys although %s is killed meanwhile', async (name) => {
  const { page, slug, email } = await openProduct(PHONE)
  await fillBagAndForm(page, email)
  const killed = storefront.shop.shop.services[name].kill()
  await order(page)
  await killed
  await expectOneOrder(email, slug)
})

test.each(['nats', 'redis'] as const)('a shopper buys although %s is away for a moment', async (name) => {
  const { page, slug, email } = await openProduct()
  await fillBagAndForm(page, email)
  const server = storefront.shop.shop.infrastructure[name]
  await server.kill()
  const back = new Promise((settle) => setTimeout(settle, AWAY_MS)).then(() => server.start())
  await order(page)
  await back
  await expectOneOrder(email, slug)
})

test('pages that were seen are shown while the catalog is away, and others say that the shop is not available', async () => {
  const { page, slug } = await openProduct()
  await storefront.shop.shop.services.catalog.stop()
  try {
    await page.goto(`${storefront.url}/product/${slug}`)
    await page.getByRole('heading', { level: 1, name: `Shirt ${slug}` }).waitFor()
    const other = await storefront.open('/product/never-rendered')
    const title = await other.getByRole('heading', { level: 1 }).textContent()
    expect(title).toBe('The shop is not available right now')
  } finally {
    await storefront.shop.shop.services.catalog.start()
    await storefront.shop.shop.services.catalog.waitReady()
  }
})

test('a new storefront process shows the bag and the form of the one before', async () => {
  const { page, slug, email } = await openProduct()
  await fillBagAndForm(page, email)
  await storefront.shop.shop.storefront?.kill()
  await storefront.shop.shop.storefront?.waitReady()
  await page.reload()
  await expect.poll(() => page.locator('#checkout-form').getByLabel('Email').inputValue()).toBe(email)
  await order(page)
  await expectOneOrder(email, slug)
})
