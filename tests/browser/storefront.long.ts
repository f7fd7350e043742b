import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StorefrontConfiguration } from '@storefront/contracts'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  tabTo,
  type TestConsole,
} from '../support/console.ts'

let merchants: TestConsole
let page: Page

const HOME = [
  { type: 'hero', title: 'First Frost', body: 'Undyed wool.', actions: [{ label: 'Shop', to: '/shop' }] },
  { type: 'category-strip', title: 'Where to begin', source: { limit: 4 } },
  { type: 'product-rail', title: 'New this week', source: { sort: 'newest', limit: 4 } },
  { type: 'clock', title: 'Of our own', color: 'red' },
]

beforeAll(async () => {
  merchants = await openConsole()
  const settings = {
    store: { name: 'Wrenfold' },
    navigation: { primary: [{ label: 'Women', to: '/shop/women' }], announcement: { messages: ['Free shipping'] } },
    home: HOME,
    promises: [{ icon: 'refresh', title: 'Sixty days', body: 'Send it back free.' }],
  }
  expect((await merchants.shop.admin.call('PATCH', '/admin/storefront', settings)).status).toBe(200)
  await merchants.shop.stockProduct('wool-sock', 3)
  page = await merchants.open('/storefront')
})

afterAll(() => merchants.stop())

const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
const field = (label: string): Locator => page.getByLabel(label, { exact: true })
const preview = (): Locator => page.getByRole('region', { name: 'Preview' })

async function openSection(name: string): Promise<void> {
  const heading = page.getByRole('heading', { name, exact: true }).getByRole('button')
  await heading.waitFor()
  if ((await heading.getAttribute('aria-expanded')) === 'false') await heading.click()
}

async function save(): Promise<void> {
  await button('Save').click()
  await page.getByText('Saved. Shoppers see it now.').waitFor()
}

/** As shoppers get it. */
async function configuration(): Promise<StorefrontConfiguration> {
  return StorefrontConfiguration.parse((await merchants.shop.client().get('/storefront')).body)
}

const titlesOf = ({ home }: StorefrontConfiguration) => (home ?? []).map(({ title }) => title)

test('a merchant moves a section of the home page, and shoppers see the new order', async () => {
  await page.goto('/console/storefront')
  await openSection('Home page')
  await page.getByTitle('Drag New this week').dragTo(page.getByTitle('Drag First Frost'))
  await preview().getByText('First Frost').waitFor()
  await button('Where to begin Categories').click()
  await field('Title').fill('Begin here')
  await preview().getByText('Begin here').waitFor()
  await preview().getByText('Wool Sock').or(preview().getByText('wool-sock')).first().waitFor()
  expect(titlesOf(await configuration())[0]).toBe('First Frost')
  await expectAccessibleInAllColors(page)
  await save()
  expect(titlesOf(await configuration())).toEqual(['New this week', 'First Frost', 'Begin here', 'Of our own'])
  expect((await configuration()).home?.[3]).toEqual(HOME[3])

  await button('Undo').click()
  await page.getByText('The change was undone.').waitFor()
  expect(titlesOf(await configuration())).toEqual(HOME.map(({ title }) => title))
})

test('a merchant scrolls a long preview by keyboard', async () => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await expectAccessible(page)
  await tabTo(preview())
  await page.keyboard.press('End')
  await expect.poll(() => preview().evaluate((area) => area.scrollTop)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('a merchant moves a section by keyboard alone, and saves', async () => {
  await page.goto('/console/storefront')
  await tabTo(page.getByRole('heading', { name: 'Home page' }).getByRole('button'))
  await page.keyboard.press('Enter')
  await tabTo(button('Move New this week up'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await tabTo(button('Save'))
  await page.keyboard.press('Enter')
  await page.getByText('Saved. Shoppers see it now.').waitFor()
  expect(titlesOf(await configuration())).toEqual(['New this week', 'First Frost', 'Where to begin', 'Of our own'])
})

test('a picture that is uploaded while its section is closed and moves is shown in that section', async () => {
  const held = Promise.withResolvers<void>()
  const path = '/media/uploads/late.svg'
  await page.route('**/media/uploads/*', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  )
  await page.route('**/admin/media', async (route) => {
    await held.promise
    await route.fulfill({ json: { items: [{ path }] } })
  })
  await page.goto('/console/storefront')
  await openSection('Home page')
  const section = page.getByRole('button', { name: /^First Frost/ })
  await section.click()
  const hasBegun = page.waitForRequest('**/admin/media')
  const file = { name: 'late.png', mimeType: 'image/png', buffer: Buffer.from('a picture') }
  await page.locator('input[type=file]').setInputFiles(file)
  await hasBegun
  await button('Where to begin Categories').click()
  await button('Remove New this week').click()
  held.resolve()
  await preview().locator(`img[src$="${path}"]`).waitFor({ state: 'attached' })
  await section.click()
  expect(await field('Picture').inputValue()).toBe(path)
  await button('Discard').click()
  await page.unroute('**/media/uploads/*')
  await page.unroute('**/admin/media')
})

test('a merchant changes the announcement, the menu, shipping, countries and tax in one save', async () => {
  await page.goto('/console/storefront')
  await openSection('Announcement')
  await field('Messages above the header').fill('Free shipping\n\nMended for five years')
  await preview().getByText('Free shipping · Mended for five years').waitFor()
  await openSection('Menu and footer')
  await button('Add entry').click()
  await field('Text').fill('Sale')
  await field('Leads to, if it is not a category').fill('/shop?tags=sale')
  await preview().getByText('Sale', { exact: true }).waitFor()
  await openSection('Shipping')
  await button('Express').click()
  await field('Price').fill('19.95')
  await openSection('Countries')
  const countries = page.getByRole('combobox', { name: 'Countries that you deliver to' })
  for (const name of ['Germany', 'Kosovo']) {
    await countries.fill(name)
    await page.getByRole('option', { name }).click()
  }
  await page.keyboard.press('Escape')
  await openSection('Tax')
  await field('Usual rate').fill('7.25')
  await save()
  const { navigation, commerce } = await configuration()
  expect(navigation?.announcement?.messages).toEqual(['Free shipping', 'Mended for five years'])
  expect(navigation?.primary?.[1]).toMatchObject({ label: 'Sale', to: '/shop?tags=sale' })
  expect(commerce?.shippingMethods?.map(({ price }) => price)).toEqual([695, 1995])
  expect(commerce?.countries?.slice(-2)).toEqual([
    ['DE', 'Germany'],
    ['XK', 'Kosovo'],
  ])
  expect(commerce?.tax?.defaultRate).toBe(725)
})

test('a value that the shop rejects is reported at its field', async () => {
  const holidays = 'Days without shipping, such as 2026-12-25'
  await page.goto('/console/storefront')
  await openSection('Shipping')
  await field('Time zone').fill('Middle Earth')
  await button('Save').click()
  await page.getByText('Not saved: one value needs attention').waitFor()
  await page.getByText('Must be a time zone such as Europe/Paris.', { exact: true }).waitFor()
  await button('Time zone: Must be a time zone such as Europe/Paris.').click()
  expect(await field('Time zone').evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await expectAccessible(page)
  await button('Discard').click()
  expect(await field('Time zone').inputValue()).toBe('')

  await field('Orders before this hour ship the same day').fill('99')
  await field(holidays).fill('2026-12-24\n25.12.2026')
  await button('Save').click()
  await button('Orders before this hour ship the same day: The number must be 23 or less.').waitFor()
  await field('Orders before this hour ship the same day').fill('12')
  await button('Save').click()
  await button(`${holidays} (2): Must be a date such as 2026-12-25.`).waitFor()
  expect(await field(holidays).getAttribute('aria-invalid')).toBe('true')
  await button('Discard').click()

  for (const name of ['The first method is free for orders from', 'Days to return goods']) {
    await field(name).fill('-3')
    await button('Save').click()
    await page.getByText('Not saved: one value needs attention').waitFor()
    await button('Discard').click()
    await page.getByText('one value needs attention').waitFor({ state: 'detached' })
  }
})

test('two merchants change different parts, and both changes stay', async () => {
  await page.goto('/console/storefront')
  await openSection('Name and contact')
  await field('Name of the shop').fill('Wrenfold & Daughters')
  const theirs = { promises: [{ icon: 'award', title: 'Ninety days' }] }
  expect((await merchants.shop.admin.call('PATCH', '/admin/storefront', theirs)).status).toBe(200)
  await button('Save').click()
  const dialog = page.getByRole('dialog', { name: 'Someone else saved first' })
  await dialog.getByText('Promises › “Ninety days” › Title: “Sixty days” became “Ninety days”.').waitFor()
  await dialog.getByText('Name of the shop: “Wrenfold” became “Wrenfold & Daughters”.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep both changes' }).click()
  await page.getByText('Saved. Shoppers see it now.').waitFor()
  const { store, promises } = await configuration()
  expect(store?.name).toBe('Wrenfold & Daughters')
  expect(promises?.[0]?.title).toBe('Ninety days')
})

test('a merchant learns that a colleague has changed the same list, and takes theirs', async () => {
  await page.goto('/console/storefront')
  await openSection('Promises')
  await button('Remove Ninety days').click()
  const theirs = { promises: [{ icon: 'award', title: 'A hundred days' }] }
  expect((await merchants.shop.admin.call('PATCH', '/admin/storefront', theirs)).status).toBe(200)
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Someone else saved first' })
  await dialog.getByText('You both changed: Promises.').waitFor()
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).waitFor()
  await dialog.getByRole('button', { name: 'Use theirs, discard mine' }).click()
  await button('A hundred days').waitFor()
  expect((await configuration()).promises?.map(({ title }) => title)).toEqual(['A hundred days'])
})

test('a merchant sets a section back to its default, and does not lose what is not saved', async () => {
  await page.goto('/console/storefront')
  await openSection('Announcement')
  await field('Messages above the header').fill('Typed only')
  await page.getByRole('link', { name: 'Versions' }).click()
  await button('Stay').click()
  await button('Discard').click()
  await button('Reset to the default').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to the default' }).click()
  await page.getByText('Announcement was reset to the default.').waitFor()
  expect((await configuration()).navigation?.announcement).toBeUndefined()
})

test('a merchant reads what changed between versions, restores one, and undoes that', async () => {
  const changes = [{ store: { name: 'Wren' } }, { navigation: { announcement: { messages: ['Sale'] } } }]
  for (const change of changes) {
    expect((await merchants.shop.admin.call('PATCH', '/admin/storefront', change)).status).toBe(200)
  }
  await page.goto('/console/storefront/versions')
  await page.getByText('Messages above the header › “Sale” was added.').waitFor()
  // The row of the newest version begins with its number and “, current”: the first of the others is the one before it.
  await page
    .getByRole('row', { name: /^\d+ .*Changes/ })
    .first()
    .getByRole('button', { name: 'Changes' })
    .click()
  await page.getByText('Name of the shop: “Wrenfold & Daughters” became “Wren”.').waitFor()
  await expectAccessibleInAllColors(page)
  await button('Restore').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText(/Version \d+ was restored\./).waitFor()
  expect(await configuration()).toMatchObject({ store: { name: 'Wren' } })
  expect((await configuration()).navigation?.announcement).toBeUndefined()
  await button('Undo').click()
  await page.getByText('The change was undone.').waitFor()
  expect((await configuration()).navigation?.announcement?.messages).toEqual(['Sale'])
})

test('a user who may only read sees the configuration and no way to change it', async () => {
  page = await merchants.open('/storefront', 'support')
  await openSection('Name and contact')
  expect(await field('Name of the shop').isDisabled()).toBe(true)
  expect(await button('Reset to the default').count()).toBe(0)
  await openSection('Menu and footer')
  await button('Women').click()
  expect(await field('Text').isDisabled()).toBe(true)
  expect(await button('Add entry').count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(merchants.faults).toEqual([])
})
