import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, undo, type TestConsole } from '../support/console.ts'

const Read = z.object({ title: z.string(), blurb: z.string(), count: z.int(), products: z.array(z.string()) })

let desk: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  const body = {
    mode: 'merge',
    products: ['linen', 'silk', 'tweed', 'wool'].map((slug) => ({
      slug,
      title: `Shirt ${slug}`,
      price: { amount: 4000, currency: 'USD' },
      variants: [{ sku: slug, options: {}, inventory: 5 }],
      published: slug !== 'wool',
    })),
  }
  expect((await desk.shop.admin.post('/admin/import', body)).status).toBe(200)
  page = await desk.open('/collections')
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

async function read(slug: string) {
  const { status, body } = await desk.shop.admin.get(`/admin/collections/${slug}`)
  return status === 200 ? Read.parse(body) : undefined
}

const placed = () => page.getByRole('list', { name: 'Products' }).getByRole('listitem')
const titles = async () => (await placed().getByRole('link').allInnerTexts()).map((text) => text.replace('Shirt ', ''))

test('a merchant makes a collection of products that they pick', async () => {
  await page.getByText('No collections yet').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('link', { name: 'New collection' }).first().click()
  await page.getByLabel('Title', { exact: true }).fill('Summer Days')
  expect(await page.getByLabel('Slug', { exact: true }).inputValue()).toBe('summer-days')
  const held = Promise.withResolvers<void>()
  await page.route(/\/admin\/products\?/, async (route) => {
    await held.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Add products' }).click()
  const picker = page.getByRole('dialog')
  await picker.locator('.mantine-Skeleton-root').waitFor()
  held.resolve()
  await page.unroute(/\/admin\/products\?/)
  await picker.getByLabel('Search products').fill('shirt')
  for (const name of ['linen', 'tweed', 'wool']) await picker.getByRole('checkbox', { name: `Shirt ${name}` }).check()
  await expectAccessibleInAllColors(page)
  await picker.getByRole('button', { name: 'Add 3 products' }).click()
  await page.getByRole('heading', { name: '3 products' }).waitFor()
  await page.getByRole('button', { name: 'Create collection' }).click()
  await page.getByText('Summer Days was created').waitFor()
  await page.getByText('Shoppers see 2 products').waitFor()
  expect(await read('summer-days')).toMatchObject({ products: ['linen', 'tweed', 'wool'], count: 2 })
})

test('a merchant puts the products in order by dragging and by buttons, and undoes it', async () => {
  await page.getByTitle('Drag Shirt wool').dragTo(placed().nth(0))
  await page.getByRole('button', { name: 'Move Shirt linen down' }).focus()
  await page.keyboard.press('Enter')
  await waitFor('the new order', async () => (await titles()).join() === 'wool,tweed,linen')
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Shirt linen up')
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Control+s')
  await page.getByText('Summer Days was saved').waitFor()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  expect((await read('summer-days'))?.products).toEqual(['wool', 'tweed', 'linen'])
  await undo(page, 'Summer Days was saved')
  await waitFor('the former order', async () => (await titles()).join() === 'linen,tweed,wool')
  expect((await read('summer-days'))?.products).toEqual(['linen', 'tweed', 'wool'])
})

test('a merchant changes a text and removes a product by keyboard alone', async () => {
  await tabTo(page.getByLabel('Text', { exact: true }))
  await page.keyboard.type('Light and cool')
  await tabTo(page.getByRole('button', { name: 'Remove Shirt wool' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await page.getByText('Summer Days was saved').first().waitFor()
  await waitFor('the change', async () => (await read('summer-days'))?.blurb === 'Light and cool')
  expect((await read('summer-days'))?.products).toEqual(['linen', 'tweed'])
})

test('what is not saved is not lost by a click', async () => {
  await page.getByLabel('Title', { exact: true }).fill('Winter')
  await page.getByRole('link', { name: 'Collections' }).last().click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Summer Days')
})

test('a slug that is taken changes no other collection', async () => {
  await page.goto('/console/collections/new')
  await page.getByLabel('Title', { exact: true }).fill('Summer days')
  await page.getByRole('button', { name: 'Create collection' }).click()
  await page.getByText('There is already a collection with this slug. Choose another slug.').waitFor()
  expect((await read('summer-days'))?.title).toBe('Summer Days')
  await page.getByLabel('Slug', { exact: true }).fill('gifts')
  await page.getByLabel('Title', { exact: true }).fill('Gifts')
  await page.keyboard.press('Control+s')
  await page.getByText('Gifts was created').waitFor()
})

test('a merchant orders the collections, deletes one and brings it back', async () => {
  await page.getByRole('link', { name: 'Collections' }).last().click()
  const rows = page.getByRole('table', { name: 'Collections' }).getByRole('row')
  await rows.nth(2).getByRole('link', { name: 'Gifts' }).waitFor()
  await page.getByRole('button', { name: 'Actions for Gifts' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page.getByText('Gifts is now number 1').waitFor()
  const listed = await desk.shop.admin.get('/admin/collections')
  expect(listed.body).toMatchObject({ items: [{ slug: 'gifts' }, { slug: 'summer-days' }] })
  await expectAccessibleInAllColors(page)
  await page.getByRole('button', { name: 'Actions for Summer Days' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('It contains 2 products, which stay in the shop.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await waitFor('it is gone', async () => (await read('summer-days')) === undefined)
  await undo(page, 'Summer Days was deleted')
  await waitFor('it is back', async () => (await read('summer-days'))?.products.join() === 'linen,tweed')
})

test('a user who may only read sees a collection and no way to change it', async () => {
  const support = await desk.open('/collections/edit?slug=summer-days', 'support')
  await support.getByText('Shirt linen').waitFor()
  expect(await support.getByLabel('Title', { exact: true }).isDisabled()).toBe(true)
  expect(await support.getByRole('button', { name: 'Add products' }).count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
