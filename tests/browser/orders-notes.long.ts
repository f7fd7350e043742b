import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order, Product } from '@storefront/contracts'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  tabTo,
  type TestConsole,
} from '../support/console.ts'
import { placePaidOrder, readOrder } from '../support/paid-order.ts'

let merchants: TestConsole
/** The owner's window, for one task after the other. */
let page: Page
let shirt: Product

beforeAll(async () => {
  merchants = await openConsole()
  shirt = await merchants.shop.stockProduct('linen-shirt', 100)
  page = await merchants.open('/orders')
})
afterAll(() => merchants.stopWithoutFault())

const place = (name: string): Promise<Order> => placePaidOrder(merchants.shop, name, [[shirt, 1]])
const read = (id: string): Promise<Order> => readOrder(merchants.shop, id)

async function timelineOf(id: string): Promise<string> {
  return JSON.stringify((await merchants.shop.admin.get(`/admin/orders/${id}/timeline`)).body)
}

test('a merchant writes a note about an order, which a colleague reads and the owner deletes', async () => {
  const { id } = await place('Grace Hopper')
  const packer = await merchants.open(`/orders/${id}`, 'fulfilment')
  await packer.getByRole('textbox', { name: 'New note' }).fill('Rang the buyer:\nleave it next door.')
  await expectAccessibleInAllColors(packer)
  await packer.getByRole('button', { name: 'Add the note' }).click()
  await packer.getByRole('list', { name: 'Notes' }).getByText('leave it next door.').waitFor()
  await packer.getByRole('textbox', { name: 'New note' }).and(packer.locator(':placeholder-shown')).waitFor()
  expect(await timelineOf(id)).toContain('Rang the buyer:\\nleave it next door.')

  await page.goto(`/console/orders/${id}`)
  const notes = page.getByRole('list', { name: 'Notes' })
  await notes.getByText('The fulfilment').waitFor()
  await notes.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the note' }).click()
  await notes.waitFor({ state: 'detached' })
  await page.getByText('A note was deleted.').waitFor()
  expect(await timelineOf(id)).not.toContain('next door')
})

test('what was begun about one order is not on the page of the next', async () => {
  const [first, second] = [await place('Rosalind Franklin'), await place('Lise Meitner')]
  await page.goto('/console/orders')
  await page.getByRole('link', { name: second.number }).waitFor()
  await page.getByRole('link', { name: first.number }).click()
  await page.getByRole('textbox', { name: 'New note' }).fill('Rang the buyer.')
  // Not a shortcut while a person types.
  await page.getByRole('heading', { name: first.number }).click()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find an order').fill(second.number)
  await page.getByRole('button', { name: second.number }).and(page.locator('[data-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: second.number }).waitFor()
  expect(await page.getByRole('textbox', { name: 'New note' }).inputValue()).toBe('')
})

test('a merchant tags an order and finds it by its tag, by keyboard alone', async () => {
  const other = await place('Ada Lovelace')
  await merchants.shop.admin.call('PATCH', `/admin/orders/${other.id}`, { tags: ['Gift wrap'] })
  const { id, number } = await place('Mary Anning')
  await page.goto(`/console/orders/${id}`)
  const card = page.getByRole('region', { name: 'Tags' })
  await tabTo(card.getByRole('button', { name: 'Add' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Tags' }).or(dialog.getByRole('textbox', { name: 'Tags' }))
  await tabTo(field)
  await page.keyboard.type('VIP')
  await page.keyboard.press('Enter')
  await page.keyboard.type('gift')
  await page.getByRole('option', { name: 'Gift wrap' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(dialog.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await page.getByText('Tags added: VIP, Gift wrap.').waitFor()
  expect((await read(id)).tags).toEqual(['VIP', 'Gift wrap'])

  await tabTo(card.getByRole('link', { name: 'VIP' }))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the filter Tag: VIP' }).waitFor()
  await page.getByText('Ada Lovelace').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: number }).waitFor()
  expect(new URL(page.url()).search).toBe('?tag=VIP')
})

test('a merchant changes tags and undoes that, and those of a colleague stay', async () => {
  const { id } = await place('Emmy Noether')
  await merchants.shop.admin.call('PATCH', `/admin/orders/${id}`, { tags: ['fragile'] })
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('region', { name: 'Tags' }).getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tags', { exact: true }).last().press('Backspace')
  const tag = (tags: string[]) => merchants.shop.admin.call('PATCH', `/admin/orders/${id}`, { tags })
  await tag(['fragile', 'Do not ship'])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Tags removed: fragile.').waitFor()
  expect((await read(id)).tags).toEqual(['Do not ship'])
  await tag(['Do not ship', 'VIP'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'fragile' }).waitFor()
  expect((await read(id)).tags).toEqual(['Do not ship', 'VIP', 'fragile'])
})

test('a merchant prints the packing slip and the invoice of an order', async () => {
  const { id, number } = await place('Rosa Parks')
  await page.goto(`/console/orders/${id}`)
  for (const [name, file] of [
    ['Print packing slip', `packing-slip-${number}.pdf`],
    ['Print invoice', 'invoice-INV-000001.pdf'],
  ] as const) {
    await page.getByRole('button', { name: 'More actions' }).click()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('menuitem', { name }).click()
    const download = await downloaded
    expect(download.suggestedFilename()).toBe(file)
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  }
  await page.getByText('The invoice INV-000001 was issued.').waitFor()
})

test('a merchant saves the filters of the orders as a view, returns to it, and deletes it', async () => {
  const { number } = await place('Hedy Lamarr')
  await merchants.shop.admin.call('PATCH', `/admin/orders/${number}`, { tags: ['wholesale'] })
  await page.goto('/console/orders?tag=wholesale&sort=oldest')
  const views = page.getByRole('group', { name: 'Views' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await dialog.getByLabel('Name of the view').fill('Wholesale')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await views.getByRole('link', { name: 'Wholesale' }).waitFor()

  await views.getByRole('link', { name: 'All' }).click()
  await page.getByText('Grace Hopper').first().waitFor()
  await views.getByRole('link', { name: 'Wholesale' }).click()
  await page.getByText('Grace Hopper').first().waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('?tag=wholesale&sort=oldest')
  await expectAccessibleInAllColors(page)

  // Its name is taken for another one, in whatever case.
  await page.goto('/console/orders?tag=wholesale&status=paid')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await dialog.getByLabel('Name of the view').fill('WHOLESALE')
  await page.keyboard.press('Enter')
  await dialog.getByText('You already have a view with this name. Choose another name.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await views.getByRole('link', { name: 'Wholesale' }).click()
  await page.getByRole('button', { name: 'Delete this view' }).click()
  await views.getByRole('link', { name: 'Wholesale' }).waitFor({ state: 'detached' })
  expect((await merchants.shop.admin.get('/admin/views?screen=orders')).body).toMatchObject({ total: 0 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await views.getByRole('link', { name: 'Wholesale' }).waitFor()
})

test('a merchant saves a view of the products', async () => {
  await page.goto('/console/products?published=false')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name of the view').fill('Drafts')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Drafts' }).waitFor()
  const { body } = await merchants.shop.admin.get('/admin/views?screen=products')
  expect(body).toMatchObject({ items: [{ name: 'Drafts', query: '?published=false' }] })
})
