import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminProduct, listOf } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, paste, tabTo, type TestConsole } from '../support/console.ts'

const usd = (amount: number) => ({ amount, currency: 'USD' })

let merchants: TestConsole
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  merchants = await openConsole()
  page = await merchants.open('/products')
  page.setDefaultTimeout(15_000)
})
afterAll(() => merchants.stop())

async function create(body: Record<string, unknown>): Promise<AdminProduct> {
  const created = await merchants.shop.admin.post('/admin/products', { price: usd(5000), ...body })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  return AdminProduct.parse(created.body)
}

const read = async (id: string) => AdminProduct.parse((await merchants.shop.admin.get(`/admin/products/${id}`)).body)

const field = (label: string): Locator => page.getByLabel(label, { exact: true })
/** The time that a merchant types, as the API has it. */
const at = (local: string) => new Date(local).toISOString()

async function found(q: string): Promise<AdminProduct | undefined> {
  const { body } = await merchants.shop.admin.get(`/admin/products?q=${q}`)
  return listOf(AdminProduct).parse(body).items[0]
}

test('a merchant sets when a draft is published and hidden, and the list shows it', async () => {
  const { id } = await create({ title: 'Friday coat', published: false })
  await page.goto(`/console/products/${id}`)
  await page.getByText('Later', { exact: true }).click()
  await field('Publish at').fill('2031-03-07T09:00')
  await field('Hide at').fill('2031-04-07T18:30')
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await read(id)).toMatchObject({
    published: false,
    publishAt: at('2031-03-07T09:00'),
    unpublishAt: at('2031-04-07T18:30'),
  })
  await page.goto('/console/products')
  await page.getByRole('cell', { name: 'From Mar 7, 2031, 9:00 AM', exact: true }).waitFor()
  await expectAccessibleInAllColors(page)
})

test('a merchant publishes the scheduled draft at once, and it keeps the time at which it is hidden', async () => {
  await page.getByRole('link', { name: 'Friday coat' }).click()
  await page.getByText('Published', { exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Until Apr 7, 2031, 6:30 PM').waitFor()
  const product = await found('friday')
  expect(product).toMatchObject({ published: true, publishAt: null, unpublishAt: at('2031-04-07T18:30') })
})

test('a missing time is reported, by keyboard alone', async () => {
  const { id } = await create({ title: 'Undecided cap', published: false })
  await page.goto(`/console/products/${id}`)
  await tabTo(field('Hide at'))
  // Goes back to the choice before this field, whose buttons the browser hides from view.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowLeft')
  await tabTo(field('Publish at'))
  await field('Publish at').fill('')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: /: Enter when to publish it\.$/ }).focus()
  await page.keyboard.press('Enter')
  expect(await field('Publish at').and(page.locator(':focus')).count()).toBe(1)
  await field('Publish at').fill('2020-01-01T10:00')
  await page.keyboard.press('Control+s')
  await waitFor('the time that has passed to be carried out', async () => (await read(id)).published)
  expect((await read(id)).publishAt).toBe(null)
})

test('a product whose time comes while it is open keeps what was typed and what the time did', async () => {
  const { id } = await create({ title: 'Dawn cap', published: false })
  await page.goto(`/console/products/${id}`)
  await field('Subtitle').fill('For early birds')
  const publishAt = new Date(0).toISOString()
  expect((await merchants.shop.admin.call('PATCH', `/admin/products/${id}`, { publishAt })).status).toBe(200)
  await waitFor('the time to be carried out', async () => (await read(id)).published)
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByText('The publication schedule saved this').waitFor()
  await page.getByRole('button', { name: 'Keep both changes' }).click()
  await field('Subtitle').and(page.locator(':focus')).waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await read(id)).toMatchObject({ published: true, publishAt: null, subtitle: 'For early birds' })
})

test('a time that is typed in part is reported, and nothing is saved without it', async () => {
  const { id } = await create({ title: 'Dusk cap' })
  await page.goto(`/console/products/${id}`)
  await field('Subtitle').fill('For owls')
  await field('Hide at').focus()
  await page.keyboard.type('03072031')
  await page.keyboard.press('Control+s')
  await page.getByText('Enter the whole date and time, or clear the field.').first().waitFor()
  expect(await field('Hide at').getAttribute('aria-invalid')).toBe('true')
  expect(await read(id)).toMatchObject({ subtitle: '', unpublishAt: null })
  await field('Hide at').fill('2031-03-07T21:00')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await read(id)).toMatchObject({ subtitle: 'For owls', unpublishAt: at('2031-03-07T21:00') })
})

test('a stock above the limit is reported with the limit', async () => {
  const { id } = await create({ title: 'Barge rope' })
  await page.goto(`/console/products/${id}`)
  await field('Stock').fill('99999999999')
  await page.keyboard.press('Control+s')
  await page.getByText('Enter 1,000,000,000 units or fewer.').first().waitFor()
  expect(await field('Stock').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a cleared SKU, stock or price is reported, and a cleared own price is that of the product', async () => {
  const { id } = await create({
    title: 'Ferry shirt',
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [
      { sku: 'FERRY-S', options: { Size: 'S' }, inventory: 3, price: usd(4500) },
      { sku: 'FERRY-M', options: { Size: 'M' }, inventory: 4 },
    ],
  })
  const stored = async () =>
    (await read(id)).variants.map(({ sku, inventory, price }) => [sku, inventory, price.amount])
  await page.goto(`/console/products/${id}`)
  const cleared = ['Price', 'M, Stock', 'M, SKU']
  for (const label of ['S, Own price', ...cleared]) await field(label).fill('')
  await page.keyboard.press('Control+s')
  await page.getByText('Enter a SKU.').first().waitFor()
  for (const label of cleared) expect(await field(label).getAttribute('aria-invalid'), label).toBe('true')
  expect(await stored()).toEqual([
    ['FERRY-S', 3, 4500],
    ['FERRY-M', 4, 5000],
  ])
  await field('Price').fill('50')
  await field('M, Stock').fill('9')
  await field('M, SKU').fill('FERRY-MEDIUM')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stored()).toEqual([
    ['FERRY-S', 3, 5000],
    ['FERRY-MEDIUM', 9, 5000],
  ])
})

test('half of an entry is reported at the field of the other half, and a whole one is saved', async () => {
  const { id } = await create({ title: 'Model shirt' })
  await page.goto(`/console/products/${id}`)
  for (const section of ['Size and fit', 'Facts']) {
    await page.getByRole('heading', { name: section }).getByRole('button').click()
  }
  await field('Size that the model wears').fill('M')
  await page.getByRole('button', { name: 'Add a line' }).last().click()
  await page.getByRole('combobox', { name: 'Value 1' }).fill('Linen')
  await page.keyboard.press('Control+s')
  await page.getByText('Choose an attribute, or remove the line.').first().waitFor()
  expect(await field('Height of the model in cm').getAttribute('aria-invalid')).toBe('true')
  const attribute = page.getByRole('combobox', { name: 'Attribute 1' })
  expect(await attribute.getAttribute('aria-invalid')).toBe('true')
  await expectAccessibleInAllColors(page)
  await field('Height of the model in cm').fill('174')
  await page.getByRole('button', { name: 'Remove line 1' }).click()
  await page.getByRole('button', { name: 'Add a line' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect((await read(id)).fit).toMatchObject({ model: { height: 174, size: 'M' } })
})

test('a merchant pastes a block from a spreadsheet, sees its faults, and undoes it at once', async () => {
  const { id } = await create({
    title: 'Pier shirt',
    options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
    variants: ['S', 'M', 'L'].map((Size) => ({ sku: `PIER-${Size}`, options: { Size }, inventory: 1 })),
  })
  await page.goto(`/console/products/${id}`)
  await field('M, Own price').focus()
  await paste(page, '45,50\t7\tPIER-MEDIUM\nmany\tfew\tPIER-MEDIUM\n1\t2\tBEYOND\n')
  await page.getByText('2 variants filled. 3 cells need attention. 3 cells did not fit').waitFor()
  expect(await field('L, Own price').getAttribute('aria-invalid')).toBe('true')
  await page.getByText('Enter an amount, such as 12.50.').waitFor()
  await page.getByText('This SKU is already used above.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await field('M, SKU').inputValue()).toBe('PIER-M')
  expect(await field('L, Stock').inputValue()).toBe('1')
  await page.getByText('Enter an amount, such as 12.50.').waitFor({ state: 'detached' })
  await field('S, Own price').focus()
  await paste(page, 'dear\tsome\n')
  await page.getByText('Enter an amount, such as 12.50.').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a merchant moves through the grid by keyboard and fills it', async () => {
  await field('S, Own price').focus()
  const isAt = (label: string) => field(label).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowRight')
  await isAt('S, Stock')
  await page.keyboard.type('8')
  await page.keyboard.press('ArrowDown')
  await isAt('M, Stock')
  await page.keyboard.type('9')
  await page.keyboard.press('Enter')
  await isAt('L, Stock')
  await page.keyboard.press('ArrowRight')
  await isAt('L, SKU')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await isAt('L, SKU')
  await page.keyboard.press('Control+Home')
  await isAt('S, Own price')
  await page.keyboard.press('Control+End')
  await isAt('L, SKU')
  await page.keyboard.press('Control+ArrowUp')
  await isAt('S, SKU')
  await page.keyboard.press('Shift+Tab')
  await isAt('S, Stock')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  const product = await found('pier')
  expect(product?.variants.map(({ inventory }) => inventory)).toEqual([8, 9, 1])
})

test('a value is not renamed to another one of its option, and the merchant reads why', async () => {
  await page.getByRole('button', { name: 'M', exact: true }).click()
  await field('Value').fill('L')
  await page.keyboard.press('Enter')
  await page.getByText('There is already a value with this name.').waitFor()
  expect(await field('Value').getAttribute('aria-invalid')).toBe('true')
  await field('Value').fill('Medium')
  await page.keyboard.press('Enter')
  await field('Medium, SKU').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a merchant sees the product as shoppers would, with what is not saved yet', async () => {
  const { id } = await create({ title: 'Draft vest', description: 'Warm.\nAnd light.', published: false })
  await page.goto(`/console/products/${id}`)
  await field('Title').fill('Fleece vest')
  await field('Price').fill('40')
  await field('Former price').fill('50')
  await page.getByRole('button', { name: 'Preview' }).click()
  const shown = page.getByRole('article', { name: 'Product page' })
  await shown.getByRole('heading', { name: 'Fleece vest' }).waitFor()
  await shown.getByText('$40.00').waitFor()
  await shown.getByText('$50.00').waitFor()
  await shown.getByText('Sale', { exact: true }).waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByText('In a list', { exact: true }).click()
  await page.getByRole('article', { name: 'In a list' }).getByText('Fleece vest').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('the browser reports no fault', () => {
  expect(merchants.faults).toEqual([])
})
