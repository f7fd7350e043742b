import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, undo, type TestConsole } from '../support/console.ts'

const Categories = z.object({
  items: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      parent: z.string().nullable(),
      blurb: z.string(),
      image: z.object({ url: z.string(), alt: z.string() }).nullable(),
    }),
  ),
})

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  const category = (slug: string, parent?: string) => ({ slug, name: named(slug), ...(parent && { parent }) })
  const body = {
    mode: 'merge',
    categories: [
      category('outerwear'),
      category('coats', 'outerwear'),
      category('jackets', 'outerwear'),
      category('shirts'),
    ],
    products: ['duffel', 'parka'].map((slug) => ({
      slug,
      title: slug,
      price: { amount: 9000, currency: 'USD' },
      variants: [{ sku: slug, options: {}, inventory: 1 }],
      categories: ['coats'],
    })),
  }
  expect((await desk.shop.admin.post('/admin/import', body)).status).toBe(200)
  page = await desk.open()
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

const named = (slug: string): string => `${slug[0]?.toUpperCase()}${slug.slice(1)}`

async function read() {
  return Categories.parse((await desk.shop.admin.get('/admin/categories')).body).items
}

/** The tree in a line, such as `shirts, outerwear (coats, jackets)`. */
async function tree(): Promise<string> {
  const items = await read()
  const below = (parent: string | null): string =>
    items
      .filter((each) => each.parent === parent)
      .map(({ slug }) => {
        const children = below(slug)
        return children === '' ? slug : `${slug} (${children})`
      })
      .join(', ')
  return below(null)
}

async function becomes(wanted: string): Promise<void> {
  await waitFor(`the tree ${wanted}`, async () => (await tree()) === wanted)
}

/** The row of a category, without those below it. */
const row = (name: string): Locator =>
  page.locator('li[data-slug] > div').filter({ has: page.getByRole('button', { name, exact: true }) })

const handle = (name: string): Locator => page.getByTitle(`Drag ${name}`, { exact: true })

function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 50, channels: 3, background } })
    .png()
    .toBuffer()
}

async function choose(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a merchant finds the categories below the products', async () => {
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Products' }).click()
  await menu.getByRole('link', { name: 'Categories' }).click()
  await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor()
  await row('Coats').getByText('2 products').waitFor()
  expect(await menu.getByRole('link', { name: 'Categories' }).getAttribute('aria-current')).toBe('page')
  await expectAccessibleInAllColors(page)
})

test('a merchant creates a category below another, with a text and a picture', async () => {
  await choose('Outerwear', 'Add a subcategory')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create category' }).click()
  await dialog.getByText('Give the category a name.').waitFor()
  await expectAccessibleInAllColors(page)
  await dialog.getByLabel('Name').fill('Räin Capes')
  expect(await dialog.getByLabel('Slug').inputValue()).toBe('rain-capes')
  await dialog.getByLabel('Text').fill('For wet days')
  const buffer = await picture('navy')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'cape.png', mimeType: 'image/png', buffer })
  await dialog.getByLabel('What the picture shows').fill('A cape in the rain')
  await dialog.getByRole('button', { name: 'Create category' }).click()
  await row('Räin Capes').waitFor()
  const created = (await read()).find(({ slug }) => slug === 'rain-capes')
  expect(created).toMatchObject({
    parent: 'outerwear',
    blurb: 'For wet days',
    image: { url: expect.stringMatching(/^\/media\/uploads\//), alt: 'A cape in the rain' },
  })
})

test('what was typed in a dialog is not lost by Escape or a click beside it', async () => {
  await page.getByRole('button', { name: 'New category' }).click()
  const name = page.getByRole('dialog', { name: 'New category' }).getByLabel('Name')
  await name.fill('Umbrellas')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.mouse.click(5, 5)
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await name.inputValue()).toBe('Umbrellas')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await name.waitFor({ state: 'detached' })
})

test('Enter in the search for a picture does not send the form that the search is in', async () => {
  await page.getByRole('button', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog', { name: 'New category' })
  await dialog.getByLabel('Name').fill('Umbrellas')
  await dialog.getByRole('button', { name: 'Choose from the library' }).click()
  const search = dialog.getByLabel('Search by file name')
  await search.fill('cape')
  await search.press('Enter')
  await dialog.getByRole('button', { name: 'cape.png' }).click()
  await dialog.getByLabel('What the picture shows').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await read()).map(({ slug }) => slug)).not.toContain('umbrellas')
})

test('a dialog that was closed before its request failed reports that it failed', async () => {
  const held = Promise.withResolvers<void>()
  await page.route(/\/admin\/categories$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held.promise
    await route.fulfill({
      status: 403,
      json: { code: 'forbidden', message: 'The test keeps this from the shop.', requestId: 'none' },
    })
  })
  await page.getByRole('button', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog', { name: 'New category' })
  await dialog.getByLabel('Name').fill('Umbrellas')
  await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/admin/categories')),
    dialog.getByRole('button', { name: 'Create category' }).click(),
  ])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  held.resolve()
  const notice = page.getByRole('alert').filter({ hasText: 'The test keeps this from the shop.' })
  await notice.getByRole('button', { name: 'Close' }).click()
  await page.unroute(/\/admin\/categories$/)
  expect((await read()).map(({ slug }) => slug)).not.toContain('umbrellas')
})

test('a slug that is taken changes no other category', async () => {
  await page.getByRole('button', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Coats')
  await dialog.getByRole('button', { name: 'Create category' }).click()
  await dialog.getByText('There is already a category with this slug. Choose another slug.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await tree()).toBe('outerwear (coats, jackets, rain-capes), shirts')
})

test('a merchant renames a category, and undoes it', async () => {
  await row('Räin Capes').getByRole('button', { name: 'Räin Capes', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Capes')
  await page.getByRole('button', { name: 'Save' }).click()
  await row('Capes').waitFor()
  expect((await read()).find(({ slug }) => slug === 'rain-capes')).toMatchObject({
    name: 'Capes',
    blurb: 'For wet days',
  })
  await undo(page, 'Capes was saved')
  await row('Räin Capes').waitFor()
})

test('a merchant drags a category before another, into another, and undoes it', async () => {
  await handle('Shirts').dragTo(row('Outerwear'), { targetPosition: { x: 200, y: 3 } })
  await becomes('shirts, outerwear (coats, jackets, rain-capes)')
  await handle('Räin Capes').dragTo(row('Coats'), { targetPosition: { x: 200, y: 26 } })
  await becomes('shirts, outerwear (coats (rain-capes), jackets)')
  await undo(page, 'Räin Capes is now number 1 in Coats')
  await becomes('shirts, outerwear (coats, jackets, rain-capes)')
  // A category cannot be below itself.
  await handle('Outerwear').dragTo(row('Coats'), { targetPosition: { x: 200, y: 26 } })
  expect(await tree()).toBe('shirts, outerwear (coats, jackets, rain-capes)')
  // Nor does it move when the person changes their mind.
  await handle('Outerwear').hover()
  await page.mouse.down()
  await row('Shirts').hover()
  await page.locator('[data-drop]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-drop]').waitFor({ state: 'detached' })
  await page.mouse.up()
  expect(await tree()).toBe('shirts, outerwear (coats, jackets, rain-capes)')
})

test('a merchant moves a category by keyboard alone', async () => {
  const jackets = page.getByRole('button', { name: 'Jackets', exact: true })
  await tabTo(jackets)
  await page.keyboard.press('Alt+ArrowUp')
  await becomes('shirts, outerwear (jackets, coats, rain-capes)')
  await page.keyboard.press('Alt+ArrowDown')
  await becomes('shirts, outerwear (coats, jackets, rain-capes)')
  await page.keyboard.press('Alt+ArrowRight')
  await becomes('shirts, outerwear (coats (jackets), rain-capes)')
  await page.keyboard.press('Alt+ArrowLeft')
  await becomes('shirts, outerwear (coats, jackets, rain-capes)')
  await page.keyboard.press('Alt+ArrowLeft')
  await becomes('shirts, outerwear (coats, rain-capes), jackets')
  expect(await jackets.and(page.locator(':focus')).count()).toBe(1)
  expect(page.url()).toContain('/categories')
  await choose('Jackets', 'Move into the category above')
  await becomes('shirts, outerwear (coats, rain-capes, jackets)')
})

test('a category is deleted after a question that says what depends on it', async () => {
  await choose('Outerwear', 'Delete')
  const question = page.getByRole('dialog')
  await question.getByText('It and its subcategories contain 2 products.').waitFor()
  await question.getByText('3 subcategories move to the top level.').waitFor()
  await question.getByText('This cannot be undone').waitFor()
  await expectAccessibleInAllColors(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await choose('Räin Capes', 'Delete')
  await question.getByText('It contains no products.').waitFor()
  await question.getByRole('button', { name: 'Delete' }).click()
  await becomes('shirts, outerwear (coats, jackets)')
  await undo(page, 'Räin Capes was deleted')
  await becomes('shirts, outerwear (coats, rain-capes, jackets)')
  expect((await read()).find(({ slug }) => slug === 'rain-capes')?.image?.alt).toBe('A cape in the rain')
})

test('a category is created only when its picture is uploaded', async () => {
  const held = Promise.withResolvers<void>()
  await page.route(/\/admin\/media$/, async (route) => {
    await held.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog', { name: 'New category' })
  await dialog.getByLabel('Name').fill('Ponchos')
  const buffer = await picture('olive')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'poncho.png', mimeType: 'image/png', buffer })
  const create = dialog.getByRole('button', { name: 'Create category' })
  await create.and(page.locator(':disabled')).waitFor()
  await dialog.getByLabel('Name').press('Enter')
  held.resolve()
  await dialog.getByLabel('What the picture shows').fill('A poncho')
  await create.click()
  await row('Ponchos').waitFor()
  await page.unroute(/\/admin\/media$/)
  expect((await read()).find(({ slug }) => slug === 'ponchos')?.image?.alt).toBe('A poncho')
})

test('a user who may only read sees the tree and no way to change it', async () => {
  const support = await desk.open('/categories', 'support')
  await support.getByText('Jackets').waitFor()
  expect(await support.getByRole('button', { name: 'New category' }).count()).toBe(0)
  expect(await support.getByRole('button', { name: 'Actions for Jackets' }).count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
