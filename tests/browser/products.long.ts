import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminProduct, Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  paste,
  tabTo,
  type TestConsole,
} from '../support/console.ts'

const CLOSED_AT_FIRST = ['Details', 'Size and fit', 'Material', 'Facts', 'Features', 'Maker', 'Address']

const usd = (amount: number) => ({ amount, currency: 'USD' })

let merchants: TestConsole
/** The window of an owner, and in the last test that of a colleague. */
let page: Page

beforeAll(async () => {
  merchants = await openConsole()
  const body = {
    mode: 'merge',
    categories: [
      { slug: 'outerwear', name: 'Outerwear' },
      { slug: 'coats', name: 'Coats', parent: 'outerwear' },
    ],
    settings: { seo: { siteUrl: 'https://shop.example' } },
  }
  expect((await merchants.shop.admin.post('/admin/import', body)).status).toBe(200)
  page = await merchants.open('/products')
})

afterAll(() => merchants.stop())

async function picture(name: string, color: string) {
  const background = color
  const buffer = await sharp({ create: { width: 400, height: 500, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

async function create(product: Record<string, unknown>): Promise<AdminProduct> {
  const { status, body } = await merchants.shop.admin.post('/admin/products', product)
  expect(status, JSON.stringify(body)).toBe(200)
  return AdminProduct.parse(body)
}

async function read(id: string): Promise<AdminProduct> {
  return AdminProduct.parse((await merchants.shop.admin.get(`/admin/products/${id}`)).body)
}

/** The product as shoppers see it, once they do. */
async function shown(slug: string): Promise<Product> {
  return waitFor(`shoppers see ${slug}`, async () => {
    const { status, body } = await merchants.shop.client().get(`/products/${slug}`)
    return status === 200 ? Product.parse(body) : undefined
  })
}

const field = (label: string): Locator => page.getByLabel(label, { exact: true })

test('a merchant creates a product with twelve variants and four pictures', async () => {
  await page.goto('/console/products/new')
  await field('Title').fill('Quay Jacket')
  const pictures = ['navy', 'tan', 'olive', 'gray'].map((color) => picture(`${color}.png`, color))
  await page.locator('input[type=file]').setInputFiles(await Promise.all(pictures))
  for (const number of [1, 2, 3, 4]) {
    await field(`What picture ${number} shows`).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(`Quay Jacket, view ${number}`)
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Move picture 4 earlier' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const shownPictures = page.getByRole('img', { name: 'Quay Jacket, view' })
  await shownPictures.nth(3).dragTo(shownPictures.nth(0))
  await field('Price').fill('120.50')

  await page.getByRole('button', { name: 'Add colors' }).click()
  await page.keyboard.type('Navy,Sand,')
  await page.keyboard.type('Moss')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add sizes' }).click()
  await paste(page, 'S, M, L, XL')
  await field('Stock of all variants').fill('5')
  await page.keyboard.press('Enter')
  await field('Moss / XL, Own price').fill('130')
  await field('Color of Navy').fill('#1f2a44')
  await page.getByRole('combobox', { name: 'Color of picture 1' }).click()
  await page.getByRole('option', { name: 'Navy' }).click()
  await page.getByRole('combobox', { name: 'Categories' }).click()
  await page.getByRole('option', { name: 'Outerwear / Coats' }).click()
  await page.getByText('is being uploaded').first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await page.getByText('The product was created').waitFor()
  await page.waitForURL(/\/products\/prod_/)

  const product = await shown('quay-jacket')
  expect(product.title).toBe('Quay Jacket')
  expect(product.price).toEqual(usd(12_050))
  expect(product.images.map(({ alt }) => alt.at(-1))).toEqual(['3', '1', '4', '2'])
  expect(product.images[0]?.color).toBe('Navy')
  expect(product.swatches).toEqual({ Navy: '#1f2a44' })
  expect(product.categories).toEqual(['coats'])
  expect(product.variants.map(({ sku, inventory }) => `${sku} ${inventory}`)).toEqual(
    ['NAVY', 'SAND', 'MOSS'].flatMap((color) => ['S', 'M', 'L', 'XL'].map((size) => `QUAY-JACKET-${color}-${size} 5`)),
  )
  expect(product.variants.at(-1)?.price).toEqual(usd(13_000))
  expect(await page.getByRole('link', { name: 'View in the shop' }).getAttribute('href')).toBe(
    'https://shop.example/product/quay-jacket',
  )
})

test('a price that is changed while someone else changes the title is saved, and the title too', async () => {
  const { id, variants } = await create({
    title: 'Harbor Coat',
    price: usd(20_000),
    variants: ['S', 'M'].map((Size) => ({ sku: `HARBOR-${Size}`, options: { Size }, inventory: 3 })),
  })
  await page.goto(`/console/products/${id}`)
  await field('Price').fill('180')
  await field('S, SKU').fill('HARBOR-SMALL')
  const theirs = {
    title: 'Harbor Coat II',
    variants: variants.map(({ id }, index) => ({ id, price: usd(21_000 + index) })),
  }
  expect((await merchants.shop.admin.call('PATCH', `/admin/products/${id}`, theirs)).status).toBe(200)
  await page.getByRole('button', { name: 'Save', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: 'Someone else saved first' })
  await dialog.getByText('Changed: Title and Variants and stock').waitFor()
  await dialog.getByText('Your unsaved changes: Price and Variants and stock').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await field('Title').inputValue()).toBe('Harbor Coat II')
  expect(await read(id)).toMatchObject({
    title: 'Harbor Coat II',
    price: usd(18_000),
    variants: [
      { sku: 'HARBOR-SMALL', price: usd(21_000) },
      { sku: 'HARBOR-M', price: usd(21_001) },
    ],
  })

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The change was undone').waitFor()
  expect(await read(id)).toMatchObject({ title: 'Harbor Coat II', price: usd(20_000) })
})

test('a merchant fills the stock of saved variants from a spreadsheet', async () => {
  const product = await create({
    title: 'Pier Tee',
    price: usd(3000),
    options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
    variants: ['S', 'M', 'L'].map((Size) => ({ sku: `PIER-${Size}`, options: { Size }, inventory: 1 })),
  })
  await page.goto(`/console/products/${product.id}`)
  await field('S, Stock').focus()
  await paste(page, '7\tPIER-SMALL\n8\tPIER-MEDIUM\n9\n')
  await field('M, Own price').focus()
  await paste(page, '$1,234.50\n"12,75 €"')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()

  const { variants } = await read(product.id)
  expect(variants.map(({ sku, inventory, price }) => [sku, inventory, price.amount])).toEqual([
    ['PIER-SMALL', 7, 3000],
    ['PIER-MEDIUM', 8, 123_450],
    ['PIER-L', 9, 1275],
  ])
  expect(variants.map(({ id }) => id)).toEqual(product.variants.map(({ id }) => id))

  await page.getByRole('button', { name: 'L', exact: true }).click()
  await page.getByRole('button', { name: 'Remove L' }).last().click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await page.getByText('These are removed with their stock: PIER-L (9).').waitFor()
  await page.getByRole('button', { name: 'Remove and save' }).click()
  await waitFor('the variant is gone', async () => (await read(product.id)).variants.length === 2)
})

test('a merchant creates a simple product by keyboard alone', async () => {
  await page.goto('/console/products')
  await tabTo(page.getByRole('link', { name: 'New product' }).first())
  await page.keyboard.press('Enter')
  const title = field('Title')
  await title.waitFor()
  await tabTo(title)
  // Without a title nothing is saved, and the focus is where it is missing.
  await tabTo(field('Price'))
  await page.keyboard.type('not a price')
  await page.keyboard.press('Control+s')
  await page.getByText('Give the product a title.').first().waitFor()
  await page.keyboard.type('Tote')
  await tabTo(field('Price'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('15')
  await tabTo(field('Stock'))
  await page.keyboard.type('40')
  await page.keyboard.press('Control+s')
  await page.getByText('The product was created').waitFor()
  expect(await shown('tote')).toMatchObject({ price: usd(1500), variants: [{ inventory: 40 }] })
})

test('a merchant does not lose what is not saved, and deletes a product only on purpose', async () => {
  const { id } = await create({ title: 'Old Cap', price: usd(1000) })
  await page.goto(`/console/products/${id}`)
  await field('Subtitle').fill('Faded')
  await page.getByRole('link', { name: 'Products' }).first().click()
  await page.getByRole('button', { name: 'Stay' }).click()
  expect(await field('Subtitle').inputValue()).toBe('Faded')
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await field('Subtitle').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Delete' }).click()
  await field('Type Old Cap to confirm').fill('Old Cap')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Old Cap was deleted').waitFor()
  expect((await merchants.shop.admin.get(`/admin/products/${id}`)).status).toBe(404)
})

test('a merchant finds drafts and publishes them together', async () => {
  const drafts = await Promise.all(
    ['Linen One', 'Linen Two'].map((title) => create({ title, price: usd(5000), published: false })),
  )
  await page.goto('/console/products?published=false')
  await page.getByLabel('Search products').fill('linen')
  await page.waitForURL(/q=linen/)
  await page.getByText('2 found').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByLabel('Select all on this page').check()
  await page.getByText('2 products selected').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Publish 2 products' })
    .getByRole('button', { name: 'Change 2 products' })
    .click()
  await page.getByRole('region', { name: 'Bulk edit: Published' }).getByText('2 changed').waitFor()
  for (const { slug } of drafts) expect((await shown(slug)).published).toBe(true)
})

test('every part of the editor is accessible, and so are its mistakes', async () => {
  await page.goto('/console/products/new')
  await page.getByRole('button', { name: 'Add colors' }).click()
  await paste(page, 'Navy,Sand')
  await field('Navy, Stock').fill('many')
  for (const name of CLOSED_AT_FIRST) await page.getByRole('heading', { name }).getByRole('button').click()
  await page.keyboard.press('Control+s')
  await page.getByText('Not saved: 3 fields need attention').first().waitFor()
  expect(await page.getByRole('button', { name: /^Price: Enter a price/ }).count()).toBe(1)
  expect(await page.getByRole('button', { name: /^Title: / }).count()).toBe(1)
  await expectAccessibleInAllColors(page)
})

test('a user who may only read sees a product and no way to change it', async () => {
  const { id } = await create({ title: 'Plain Scarf', price: usd(2500) })
  page = await merchants.open(`/products/${id}`, 'support')
  expect(await field('Title').isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
})

test('the browser reports no fault', () => {
  expect(merchants.faults).toEqual([])
})
