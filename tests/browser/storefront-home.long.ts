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
afterEach(() => storefront.closeWindows())
afterAll(() => storefront.stopWithoutFault())

test.each([
  ['phone', PHONE],
  ['desk', DESK],
  ['browser without scripts', WITHOUT_SCRIPT],
])('a newcomer with a %s sees the sections of the home page', async (_name, device) => {
  const page = await storefront.open('/', device)
  await page.getByRole('heading', { level: 1, name: 'First Frost' }).waitFor()
  for (const name of ['Where to begin', 'New this month', 'Worn together', 'Every label says who made it.']) {
    await page.getByRole('heading', { level: 2, name }).waitFor()
  }
  expect(await page.getByRole('article').count()).toBeGreaterThan(8)
  expect(await page.evaluate('document.cookie')).toBe('')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('the home page is accessible', async () => {
  await expectAccessible(await storefront.open('/'))
})

test('a change of the configuration is seen on the page within two seconds of the save', async () => {
  const page = await storefront.open('/')
  const title = 'Second Thaw'
  const saved = await storefront.shop.admin.call('PATCH', '/admin/storefront', { home: [{ type: 'hero', title }] })
  expect(saved.status).toBe(200)
  await expect
    .poll(
      async () => {
        await page.reload()
        return page.getByRole('heading', { level: 1 }).textContent()
      },
      { timeout: 2000 },
    )
    .toBe(title)
})

test('a home page that begins with another section has the name of the shop as its heading', async () => {
  const page = await storefront.open('/')
  const home = [{ type: 'rich-text', title: 'Third Thaw' }]
  expect((await storefront.shop.admin.call('PATCH', '/admin/storefront', { home })).status).toBe(200)
  const sections = page.getByRole('heading', { level: 2, name: 'Third Thaw' })
  const read = async () => {
    await page.reload()
    return sections.count()
  }
  await expect.poll(read).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
})
