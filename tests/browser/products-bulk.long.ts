import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminProduct } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, type TestConsole } from '../support/console.ts'
import { holdLock } from '../support/hold-lock.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })
const LINEN = 50

let merchants: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  merchants = await openConsole()
  const linen = Array.from({ length: LINEN }, (_, number) => product(`linen-${number}`, `Linen ${number}`, 3000))
  const body = {
    mode: 'merge',
    categories: [{ slug: 'summer', name: 'Summer' }],
    products: [
      ...linen,
      product('tweed', 'Tweed', 8000),
      product('button', 'Button', 20),
      product('old', 'Old cap', 900),
    ],
  }
  expect((await merchants.shop.admin.post('/admin/import', body)).status).toBe(200)
  page = await merchants.open()
  page.setDefaultTimeout(15_000)
})
afterAll(() => merchants.stop())

const product = (id: string, title: string, amount: number) => ({
  id,
  slug: id,
  title,
  price: usd(amount),
  variants: [{ sku: id.toUpperCase(), options: {}, inventory: 5 }],
})

const read = async (id: string) => AdminProduct.parse((await merchants.shop.admin.get(`/admin/products/${id}`)).body)

const button = (name: string): Locator => page.getByRole('button', { name, exact: true })

const strip = (what: string): Locator => page.getByRole('region', { name: `Bulk edit: ${what}`, exact: true })

async function pickFound(q: string): Promise<void> {
  await page.goto(`/console/products?q=${q}`)
  await page.getByLabel('Select all on this page').check()
}

test('a merchant puts fifty products on sale with four clicks, and undoes it from another visit', async () => {
  await page.goto('/console/products?q=linen')
  await page.getByText(`${LINEN} found`).waitFor()
  await page.evaluate(
    `window.clicks = 0; addEventListener('click', (event) => event.isTrusted && window.clicks++, true)`,
  )
  await page.getByLabel('Select all on this page').click()
  await button(`Select all ${LINEN}`).click()
  await page.getByText(`${LINEN} products selected`).waitFor()
  await button('Put on sale').click()
  const dialog = page.getByRole('dialog', { name: `Put ${LINEN} products on sale` })
  await dialog.getByLabel('Percent off').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('20')
  await dialog.getByText(`${LINEN} products will change.`).waitFor()
  await dialog.getByText('$24.00').first().waitFor()
  await dialog.getByText('and 30 more').waitFor()
  await expectAccessibleInAllColors(page)
  await dialog.getByRole('button', { name: `Change ${LINEN} products` }).click()
  await strip('Sale: -20%').getByText(`${LINEN} changed`).waitFor()
  await page.locator('[data-id="linen-49"]').getByText('$24.00').waitFor()
  expect(await page.evaluate('window.clicks')).toBe(4)
  expect(await read('linen-49')).toMatchObject({ price: usd(2400), compareAtPrice: usd(3000) })
  expect(await read('tweed')).toMatchObject({ price: usd(8000), compareAtPrice: null })

  await page.goto('/console/orders')
  await page.getByRole('link', { name: 'Products' }).click()
  const result = strip('Sale: -20%')
  await result.getByText(`${LINEN} changed`).waitFor()
  await expectAccessibleInAllColors(page)
  await result.getByRole('button', { name: /^Undo \((?:59|60) min left\)$/ }).click()
  await strip('Undo').getByText(`${LINEN} changed`).waitFor()
  expect(await read('linen-49')).toMatchObject({ price: usd(3000), compareAtPrice: null })
})

test('a merchant sees what cannot be changed before and after, with rounded prices for the others', async () => {
  await page.goto('/console/products?q=t')
  for (const id of ['button', 'tweed']) await page.locator(`[data-id="${id}"]`).getByLabel('Select').check()
  const name = await page.locator('[data-id="tweed"]').getByLabel('Select').getAttribute('aria-describedby')
  expect(await page.locator(`[id="${name}"]`).innerText()).toContain('Tweed')
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Change prices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the prices of 2 products' })
  await dialog.getByLabel('Percent', { exact: true }).pressSequentially('98.5')
  await dialog.getByText('1 product cannot be changed').waitFor()
  await dialog.getByText('A price would become 0.').waitFor()
  await dialog.getByRole('combobox', { name: 'New prices' }).click()
  await page.getByRole('option', { name: 'Ending in 99' }).click()
  await dialog.getByText('2 products will change.').waitFor()
  await dialog.getByRole('combobox', { name: 'New prices' }).click()
  await page.getByRole('option', { name: 'Exact' }).click()
  await dialog.getByText('1 product will change.').waitFor()
  await dialog.getByRole('button', { name: 'Change 1 product' }).click()
  const result = strip('Prices -98.5%')
  await result.getByText('1 changed, 1 not changed').waitFor()
  await result.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('heading', { level: 1, name: 'Prices -98.5%' }).waitFor()
  await page.getByText('1 product was not changed').waitFor()
  await page.getByText('A price would become 0.').waitFor()
  await expectAccessibleInAllColors(page)
  expect((await read('tweed')).price).toEqual(usd(120))
  expect((await read('button')).price).toEqual(usd(20))
})

test('a merchant cancels a bulk edit that has only begun', async () => {
  const release = await holdLock(merchants.shop, 'select 1 from catalog.products for update')
  await pickFound('tweed')
  await button('Hide').click()
  await page.getByRole('button', { name: 'Change 1 product' }).click()
  await strip('Hidden').getByText('0 of 1 done').waitFor()
  expect(await strip('Hidden').getByRole('status').getAttribute('aria-busy')).toBe('true')
  await page.goto('/console/products/bulk')
  await page
    .getByRole('row', { name: /^Hidden/ })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await page
    .getByRole('row', { name: /^Hidden/ })
    .getByText('Canceled')
    .waitFor()
  await release()
  await expectAccessibleInAllColors(page)
  expect((await read('tweed')).published).toBe(true)
})

test('a merchant tags products and brings them into a category by keyboard alone', async () => {
  await page.goto('/console/products?q=tweed')
  await tabTo(page.getByLabel('Select', { exact: true }))
  await page.keyboard.press('Space')
  await tabTo(button('More'))
  await page.keyboard.press('Enter')
  const focused = (name: string) => page.getByRole('menuitem', { name }).and(page.locator(':focus')).waitFor()
  await focused('End sale')
  for (const name of ['Change prices', 'Tags']) {
    await page.keyboard.press('ArrowDown')
    await focused(name)
  }
  await page.keyboard.press('Enter')
  await page.getByLabel('Add tags').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('wool')
  await page.keyboard.press('Enter')
  await page.getByText('1 product will change.').waitFor()
  await tabTo(button('Change 1 product'))
  await page.keyboard.press('Enter')
  await strip('Tags: + wool').getByText('1 changed').waitFor()
  expect((await read('tweed')).tags).toEqual(['wool'])

  await pickFound('tweed')
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Categories' }).click()
  await page.getByRole('combobox', { name: 'Add categories' }).click()
  await page.getByRole('option', { name: 'Summer' }).click()
  await button('Change 1 product').click()
  await strip('Categories: + Summer').getByText('1 changed').waitFor()
  expect((await read('tweed')).categories).toEqual(['summer'])
})

test('deleting requires a typed word, and is not offered for products that are not on the screen', async () => {
  await pickFound('linen')
  await button(`Select all ${LINEN}`).click()
  await button('More').click()
  await page.getByRole('menuitem', { name: 'End sale' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)

  await pickFound('old')
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByLabel('Type delete to confirm').fill('delete')
  await page.getByRole('button', { name: 'Delete 1 product' }).click()
  await page.getByText('1 product was deleted').waitFor()
  await waitFor(
    'the product is gone',
    async () => (await merchants.shop.admin.get('/admin/products/old')).status === 404,
  )
})

test('a user who may only read sees what was changed and by whom, and cannot undo it', async () => {
  const reader = await merchants.open('/products/bulk', 'support')
  await reader.getByRole('row', { name: /^Tags: \+ wool/ }).waitFor()
  expect(await reader.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  const { body } = await merchants.shop.admin.get('/admin/auth/me')
  const { name } = z.object({ user: z.object({ name: z.string() }) }).parse(body).user
  await reader.getByRole('cell', { name, exact: true }).first().waitFor()
})

test('the browser reports no fault', () => {
  expect(merchants.faults).toEqual([])
})
