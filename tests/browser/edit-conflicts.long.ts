import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { expectAccessibleInAllColors, isRenewal, openConsole, tabTo, type TestConsole } from '../support/console.ts'

const Records = z.object({ items: z.array(z.looseObject({})) })
const CHART = { id: 'Shirts', unit: 'cm', columns: ['Size', 'Chest'] }

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  const product = (slug: string) => ({ slug, title: `Shirt ${slug}`, price: { amount: 4000, currency: 'USD' } })
  const body = {
    mode: 'merge',
    categories: [{ slug: 'coats', name: 'Coats' }],
    products: ['linen', 'silk'].map(product),
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen'] }],
    sizeCharts: [{ ...CHART, rows: [['S', 90]] }],
  }
  expect((await desk.shop.admin.post('/admin/import', body)).status).toBe(200)
  page = await desk.open('/collections')
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

const field = (label: string): Locator => page.getByLabel(label, { exact: true })
const conflict = (): Locator => page.getByRole('dialog', { name: 'Someone else saved first' })

async function saveElsewhere(path: string, body: object): Promise<void> {
  expect((await desk.shop.admin.post(path, body)).status).toBe(200)
}

async function stored(path: string): Promise<object | undefined> {
  return Records.parse((await desk.shop.admin.get(path)).body).items[0]
}

test('a merchant keeps both changes of a collection that a colleague has saved meanwhile', async () => {
  await page.getByRole('link', { name: 'Summer' }).click()
  await field('Text').fill('For warm days')
  await saveElsewhere('/admin/collections', { slug: 'summer', title: 'Summer 2027', products: ['silk', 'linen'] })
  await page.keyboard.press('Control+s')
  await conflict().getByText('Changed: Title and Products').waitFor()
  await conflict().getByText('Your unsaved changes: Text').waitFor()
  await expectAccessibleInAllColors(page)
  await tabTo(conflict().getByRole('button', { name: 'Keep both changes' }))
  await page.keyboard.press('Enter')
  await page.getByText('Summer 2027 was saved').waitFor()
  expect(await field('Title').inputValue()).toBe('Summer 2027')
  expect(await stored('/admin/collections')).toMatchObject({
    title: 'Summer 2027',
    blurb: 'For warm days',
    products: ['silk', 'linen'],
  })
})

test('a merchant saves twice in a row without a conflict, also when a collection has moved', async () => {
  await saveElsewhere('/admin/collections', { slug: 'summer', position: 7 })
  await field('Text').fill('For hot days')
  await page.keyboard.press('Control+s')
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await field('Title').fill('High summer')
  await page.keyboard.press('Control+s')
  await page.getByText('High summer was saved').waitFor()
  expect(await stored('/admin/collections')).toMatchObject({ title: 'High summer', blurb: 'For hot days', position: 7 })
})

test('a merchant does not delete a collection that a colleague changes while they are asked', async () => {
  await page.goto('/console/collections')
  await page.getByRole('button', { name: 'Actions for High summer' }).click()
  const hasRead = page.waitForResponse((response) => response.url().endsWith('/admin/collections/summer'))
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('It contains 2 products, which stay in the shop.').waitFor()
  await hasRead
  await saveElsewhere('/admin/collections', { slug: 'summer', products: ['linen'] })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Someone else changed this collection').waitFor()
  expect(await stored('/admin/collections')).toMatchObject({ title: 'High summer', products: ['linen'] })
})

test('a merchant overwrites a category that a colleague has saved meanwhile', async () => {
  await page.goto('/console/categories')
  await page.getByRole('button', { name: 'Coats', exact: true }).click()
  await field('Name').fill('Coats and jackets')
  await saveElsewhere('/admin/categories', { slug: 'coats', name: 'Outerwear', blurb: 'Warm' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await conflict().getByText('You both changed: Name').waitFor()
  await expectAccessibleInAllColors(page)
  await conflict().getByRole('button', { name: 'Overwrite with mine' }).click()
  await page.getByText('Coats and jackets was saved').waitFor()
  expect(await stored('/admin/categories')).toMatchObject({ name: 'Coats and jackets', blurb: 'Warm' })
})

test('a merchant loads the size chart that a colleague has saved meanwhile', async () => {
  await page.goto('/console/size-charts/edit?id=Shirts')
  await field('S, Chest').fill('91')
  await saveElsewhere('/admin/size-charts', { ...CHART, rows: [['S', 92]] })
  await page.keyboard.press('Control+s')
  await conflict().getByText('You both changed: Measurements').waitFor()
  await conflict().getByRole('button', { name: 'Use theirs, discard mine' }).click()
  await conflict().waitFor({ state: 'detached' })
  expect(await field('S, Chest').inputValue()).toBe('92')
  await field('S, Chest').fill('93')
  await page.keyboard.press('Control+s')
  await page.getByText('Shirts was saved').waitFor()
  expect(await stored('/admin/size-charts')).toMatchObject({ rows: [['S', 93]] })
})

const isSave = (request: Request): boolean =>
  request.method() !== 'GET' && !request.url().endsWith('/quote') && !isRenewal(request)

async function save(): Promise<void> {
  await page.getByRole('button', { name: /^Save(?: the draft)?$/ }).click()
}

/** Saves, and types into another field while the save is under way. */
async function typeWhileSaving(label: string, text: string): Promise<void> {
  const held = Promise.withResolvers<void>()
  await page.route(/\/admin\//, async (route) => {
    if (isSave(route.request())) await held.promise
    await route.fallback()
  })
  const hasBegun = page.waitForRequest(isSave)
  const hasEnded = page.waitForResponse((response) => isSave(response.request()))
  await save()
  await hasBegun
  await field(label).fill(text)
  held.resolve()
  await hasEnded
  await page.unroute(/\/admin\//)
}

async function newDraft(): Promise<string> {
  const { variants } = await desk.shop.stockProduct('tweed', 5)
  const lines = [{ variantId: variants[0]?.id, quantity: 1 }]
  const { body } = await desk.shop.admin.post('/admin/draft-orders', { lines })
  return z.object({ id: z.string() }).parse(body).id
}

test.each([
  ['a collection', '/collections/edit?slug=summer', 'Title', 'Text', '/admin/collections'],
  ['a size chart', '/size-charts/edit?id=Shirts', 'Unit', 'Note for shoppers', '/admin/size-charts'],
  ['a discount', '/discounts/code?code=KEPT', 'Total limit', 'Text in the cart', '/admin/discounts/KEPT'],
  ['a draft order', '/orders/drafts/:id', 'City', 'Note', '/admin/draft-orders/:id'],
  ['the settings', '/storefront', 'Name of the shop', 'One sentence about the shop', '/admin/storefront'],
])('what is typed into %s while it is saved stays, and is saved next', async (_of, screen, first, second, path) => {
  if (path.endsWith('KEPT')) await saveElsewhere('/admin/discounts', { code: 'KEPT', kind: 'percent', value: 10 })
  const id = path.endsWith(':id') ? await newDraft() : ''
  await page.goto(`/console${screen.replace(':id', id)}`)
  if (screen === '/storefront') await page.getByRole('button', { name: 'Name and contact' }).click()
  await field(first).fill('77')
  await typeWhileSaving(second, 'Typed meanwhile')
  await save()
  const read = async () => JSON.stringify((await desk.shop.admin.get(path.replace(':id', id))).body)
  await expect.poll(read).toContain('Typed meanwhile')
  // As a value: an id or a time may contain these digits, too.
  expect(await read()).toMatch(/:"?77"?[,}]/)
  expect(await field(first).inputValue()).toBe('77')
})

test('what is typed while a save comes after that of a colleague is saved with it', async () => {
  await page.goto('/console/collections/edit?slug=summer')
  await field('Title').fill('Late summer')
  await saveElsewhere('/admin/collections', { slug: 'summer', position: 9 })
  await typeWhileSaving('Text', 'Typed late')
  const shown = { title: 'Late summer', blurb: 'Typed late', position: 9 }
  await expect.poll(() => stored('/admin/collections')).toMatchObject(shown)
})

test('a merchant who discards a change sees what a colleague has saved during it', async () => {
  await page.goto('/console/collections/edit?slug=summer')
  await field('Text').fill('Not to be kept')
  await saveElsewhere('/admin/collections', { slug: 'summer', title: 'Saved elsewhere', blurb: 'Theirs' })
  await page.keyboard.press('Control+s')
  await conflict().getByRole('button', { name: 'Close' }).click()
  await conflict().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Discard' }).click()
  const shown = () => Promise.all(['Title', 'Text'].map((label) => field(label).inputValue()))
  await expect.poll(shown).toEqual(['Saved elsewhere', 'Theirs'])
})

test('what is typed into the settings before a conflict is known is kept with the other changes', async () => {
  await page.goto('/console/storefront')
  await page.getByRole('button', { name: 'Name and contact' }).click()
  await field('Name of the shop').fill('Late shop')
  const elsewhere = { store: { email: 'desk@shop.example' } }
  expect((await desk.shop.admin.call('PATCH', '/admin/storefront', elsewhere)).status).toBe(200)
  await typeWhileSaving('One sentence about the shop', 'Typed late')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep both changes' }).click()
  const kept = { name: 'Late shop', tagline: 'Typed late', email: 'desk@shop.example' }
  const read = async () => (await desk.shop.admin.get('/admin/storefront')).body
  await expect.poll(read).toMatchObject({ store: kept })
})

test('a merchant who resets settings that a colleague has changed meanwhile sees theirs and resets those', async () => {
  await page.goto('/console/storefront')
  await page.getByRole('button', { name: 'Name and contact' }).click()
  await field('Name of the shop').waitFor()
  const elsewhere = { store: { tagline: 'Saved elsewhere' } }
  expect((await desk.shop.admin.call('PATCH', '/admin/storefront', elsewhere)).status).toBe(200)
  const reset = async () => {
    await page.getByRole('button', { name: 'Reset to the default' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to the default' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await reset()
  const failure = page.getByRole('alert').filter({ hasText: 'Someone else changed the storefront in the meantime' })
  await failure.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => field('One sentence about the shop').inputValue()).toBe('Saved elsewhere')
  await reset()
  await page.getByText('Name and contact was reset to the default.').waitFor()
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
