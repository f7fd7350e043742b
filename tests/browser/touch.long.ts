import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, type TestConsole } from '../support/console.ts'
import { pointIn, swipe } from '../support/finger.ts'

const Categories = z.object({ items: z.array(z.object({ slug: z.string(), parent: z.string().nullable() })) })
const Collection = z.object({ products: z.array(z.string()) })
const SLUGS = ['outerwear', 'shirts', 'trousers', 'socks', 'hats', 'belts', 'scarves', 'gloves']

let desk: TestConsole
/** A phone of an owner, used by all tests in their order. */
let phone: Page

beforeAll(async () => {
  desk = await openConsole()
  const body = {
    mode: 'merge',
    categories: SLUGS.map((slug) => ({ slug, name: nameOf(slug) })),
    products: [
      ...['linen', 'silk', 'wool'].map((slug) => ({
        slug,
        title: `Shirt ${slug}`,
        price: { amount: 4000, currency: 'USD' },
        variants: [{ sku: slug, options: {}, inventory: 5 }],
      })),
      {
        slug: 'parka',
        title: 'Quilted alpine parka',
        price: { amount: 124_000, currency: 'USD' },
        variants: [{ sku: 'parka', options: {}, inventory: 1830 }],
      },
    ],
    collections: [{ slug: 'summer', title: 'Summer', products: ['linen', 'silk', 'wool'] }],
  }
  expect((await desk.shop.admin.post('/admin/import', body)).status).toBe(200)
  phone = await desk.open('/', undefined, { hasTouch: true })
  phone.setDefaultTimeout(10_000)
  await phone.setViewportSize({ width: 360, height: 500 })
})
afterAll(() => desk.stop())

const nameOf = (slug: string): string => `${slug[0]?.toUpperCase()}${slug.slice(1)}`

/** The categories in their order, each with those it is below. */
async function tree(): Promise<string[]> {
  const { items } = Categories.parse((await desk.shop.admin.get('/admin/categories')).body)
  return items.map(({ slug, parent }) => (parent === null ? slug : `${parent}/${slug}`))
}

async function productsOf(slug: string): Promise<string[]> {
  return Collection.parse((await desk.shop.admin.get(`/admin/collections/${slug}`)).body).products
}

async function idOf(slug: string): Promise<string> {
  return z.object({ id: z.string() }).parse((await desk.shop.admin.get(`/products/${slug}`)).body).id
}

async function subtitleOf(slug: string): Promise<string | undefined> {
  return z.object({ subtitle: z.string().optional() }).parse((await desk.shop.admin.get(`/products/${slug}`)).body)
    .subtitle
}

const handle = (title: string): Locator => phone.getByTitle(`Drag ${title}`, { exact: true })
const row = (slug: string): Locator => phone.locator(`li[data-slug="${slug}"] > div`)
const scrolled = (): Promise<number> => phone.evaluate('scrollY')

test('a finger drags a category before another and into another', async () => {
  await phone.goto('/console/categories')
  await handle('Shirts').waitFor()
  await expectAccessibleInAllColors(phone)
  await swipe(phone, await pointIn(handle('Trousers')), await pointIn(row('shirts'), 0.5, 0.1))
  await waitFor('trousers before shirts', async () => (await tree()).slice(0, 3).join() === 'outerwear,trousers,shirts')
  await swipe(phone, await pointIn(handle('Shirts')), await pointIn(row('outerwear')))
  await waitFor('shirts in outerwear', async () => (await tree()).includes('outerwear/shirts'))
  expect(await scrolled()).toBe(0)
})

test('a finger that begins beside the handle scrolls the page and moves nothing', async () => {
  const before = await tree()
  const start = await pointIn(row('trousers'))
  await swipe(phone, start, { x: start.x, y: start.y - 150 })
  await waitFor('the page scrolled', async () => (await scrolled()) > 50)
  expect(await phone.locator('[data-dragged]').count()).toBe(0)
  expect(await tree()).toEqual(before)
})

test('a finger drags a product of a collection to another place', async () => {
  await phone.goto('/console/collections/edit?slug=summer')
  const placed = phone.getByRole('list', { name: 'Products' }).getByRole('listitem')
  await handle('Shirt wool').scrollIntoViewIfNeeded()
  await swipe(phone, await pointIn(handle('Shirt wool')), await pointIn(placed.nth(1)))
  await phone.getByRole('button', { name: 'Save' }).click()
  await phone.getByText('Summer was saved').waitFor()
  expect(await productsOf('summer')).toEqual(['linen', 'wool', 'silk'])
})

test('a second tap on the place of "Save" saves the next change, and does not undo the first', async () => {
  await phone.goto(`/console/products/${await idOf('linen')}`)
  const subtitle = phone.getByLabel('Subtitle')
  await subtitle.fill('Light')
  const save = await pointIn(phone.getByRole('button', { name: 'Save', exact: true }))
  await phone.touchscreen.tap(save.x, save.y)
  await phone.getByRole('button', { name: 'Undo' }).waitFor()
  await subtitle.fill('Lighter')
  await phone.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await phone.touchscreen.tap(save.x, save.y)
  await waitFor('the second change', async () => (await subtitleOf('linen')) === 'Lighter')
  expect(await phone.getByText('The change was undone').count()).toBe(0)
})

test('the list of products shows whole numbers on a phone', async () => {
  await phone.goto('/console/products')
  const stock = phone.getByRole('row', { name: 'Quilted alpine parka' }).getByRole('cell', { name: '1,830' })
  const box = await stock.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360 - 16)
  await expectAccessibleInAllColors(phone)
})

test('the closed menu is out of reach, and its button says that it is closed', async () => {
  const button = phone.getByRole('button', { name: 'Menu' })
  const menu = phone.getByRole('navigation', { name: 'Menu' })
  await button.waitFor()
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  expect(await menu.count()).toBe(0)
  await button.click()
  await menu.getByRole('link', { name: 'Stock' }).click()
  await phone.getByRole('heading', { name: 'Stock' }).waitFor()
  await menu.waitFor({ state: 'hidden' })
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
