import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order, Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  tabTo,
  type TestConsole,
} from '../support/console.ts'
import { placePaidOrder, readOrder } from '../support/paid-order.ts'
import { unitsInStock } from '../support/units-in-stock.ts'

const UNITS = 'Units of Shirt linen-shirt to refund'

let merchants: TestConsole
/** The owner's window, for one task after the other. */
let page: Page
let shirt: Product
let hat: Product

beforeAll(async () => {
  merchants = await openConsole()
  shirt = await merchants.shop.stockProduct('linen-shirt', 100)
  hat = await merchants.shop.stockProduct('straw-hat', 100)
  page = await merchants.open('/orders')
})
afterAll(() => merchants.stopWithoutFault())

/** Three shirts and a hat. */
const place = (name: string): Promise<Order> =>
  placePaidOrder(merchants.shop, name, [
    [shirt, 3],
    [hat, 1],
  ])
const read = (id: string): Promise<Order> => readOrder(merchants.shop, id)

const stockOf = (product: Product): Promise<number> => unitsInStock(merchants.shop, product)
const stockIs = (product: Product, units: number) =>
  waitFor(`${units} in stock`, async () => (await stockOf(product)) === units)

/** The refunds of an order in words: the amount, the units by product, and how many of them returned to the stock. */
function refundsOf({ lines, refunds }: Order): string[] {
  return refunds.map((refund) => {
    const units = (refund.lines ?? []).map(
      ({ lineId, quantity, restocked }) =>
        `${quantity} ${lines.find(({ id }) => id === lineId)?.productSlug}, ${restocked} returned`,
    )
    return [refund.amount.amount, ...units].join(', ')
  })
}

test('a merchant refunds one line of an order and returns it to stock', async () => {
  const { id } = await place('Grace Hopper')
  const hats = await stockOf(hat)
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Items return to stock only if you choose units or refund everything').waitFor()
  await dialog.getByLabel('Units of Shirt straw-hat to refund, 1 at most').click()
  await page.keyboard.type('1')
  expect(await dialog.getByLabel('Return Shirt straw-hat to stock').isChecked()).toBe(true)
  // With one line chosen, the choice of that line is enough.
  expect(await dialog.getByLabel('Return the items to stock').count()).toBe(0)
  await dialog.getByText('The chosen units will not be shipped.').waitFor()
  await dialog.getByLabel('Reason').fill('Too small')
  await expectAccessibleInAllColors(page)
  // 40 dollars with 8 percent of tax.
  await dialog.getByRole('button', { name: 'Refund $43.20' }).click()

  await page.getByText('A refund of $43.20 for 1 × Shirt straw-hat was made.').waitFor()
  await page.getByText('Returned to stock: 1 × Shirt straw-hat.').waitFor()
  await page.getByRole('region', { name: 'Payment' }).getByText('1 × Shirt straw-hat').waitFor()
  await page.getByRole('row', { name: 'Shirt straw-hat' }).getByText('1 refunded').waitFor()
  expect(refundsOf(await read(id))).toEqual(['4320, 1 straw-hat, 1 returned'])
  await stockIs(hat, hats + 1)
  await expectAccessible(page)

  // Nothing of it can be refunded or sent again.
  await page.getByRole('button', { name: 'Refund' }).click()
  await dialog.getByLabel(`${UNITS}, 3 at most`).waitFor()
  expect(await dialog.getByLabel('Units of Shirt straw-hat').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await dialog.getByLabel('Units of Shirt linen-shirt in the parcel, 3 at most').waitFor()
  expect(await dialog.getByLabel('Units of Shirt straw-hat').count()).toBe(0)
})

test('a merchant refunds one unit after the other and keeps a damaged one off sale, by keyboard alone', async () => {
  const { id } = await place('Mary Anning')
  const shirts = await stockOf(shirt)
  await page.goto(`/console/orders/${id}`)
  const dialog = page.getByRole('dialog')

  async function refund(left: number, units: string): Promise<void> {
    await tabTo(page.getByRole('button', { name: 'Refund' }))
    await page.keyboard.press('Enter')
    // It has the focus already, and what is typed replaces the zero.
    await dialog.getByLabel(`${UNITS}, ${left} at most`).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(units)
  }
  await refund(3, '1')
  await tabTo(dialog.getByRole('button', { name: 'Refund $43.20' }))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await stockIs(shirt, shirts + 1)

  await refund(2, '1')
  await tabTo(dialog.getByLabel('Return Shirt linen-shirt to stock'))
  await page.keyboard.press('Space')
  await tabTo(dialog.getByLabel('Amount'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('10')
  await tabTo(dialog.getByRole('button', { name: 'Refund $10.00' }))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(refundsOf(await read(id))).toEqual(['4320, 1 linen-shirt, 1 returned', '1000, 1 linen-shirt, 0 returned'])

  await tabTo(page.getByRole('button', { name: 'Refund' }))
  await page.keyboard.press('Enter')
  await tabTo(dialog.getByRole('button', { name: 'Everything' }))
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Refund $86.40' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Refund' }).and(page.locator(':focus')).waitFor()
  expect((await read(id)).refundedTotal.amount).toBe(5320)
  expect(await stockOf(shirt)).toBe(shirts + 1)
})

test('a merchant refunds two lines and puts only one of them on sale again', async () => {
  const { id } = await place('Rosalind Franklin')
  const [shirts, hats] = [await stockOf(shirt), await stockOf(hat)]
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(`${UNITS}, 3 at most`).fill('2')
  await dialog.getByLabel('Units of Shirt straw-hat to refund, 1 at most').fill('1')
  const all = dialog.getByLabel('Return the items to stock')
  expect(await all.isChecked()).toBe(true)
  await dialog.getByLabel('Return Shirt straw-hat to stock').uncheck()
  await all.and(dialog.locator(':indeterminate')).waitFor()
  await expectAccessibleInAllColors(page)
  // Checks all at once, and unchecks the hat again.
  await all.check()
  expect(await dialog.getByLabel('Return Shirt straw-hat to stock').isChecked()).toBe(true)
  await dialog.getByLabel('Return Shirt straw-hat to stock').uncheck()
  await dialog.getByRole('button', { name: 'Refund $129.60' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(refundsOf(await read(id))).toEqual(['12960, 2 linen-shirt, 2 returned, 1 straw-hat, 0 returned'])
  await stockIs(shirt, shirts + 2)
  expect(await stockOf(hat)).toBe(hats)
})

test('a merchant reads why an amount below zero cannot be refunded', async () => {
  const { id } = await place('Maria Mitchell')
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('-5')
  await dialog.getByText('This is not an amount. Write it like 12.50.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Refund $0.00' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a merchant who refunds a unit that was refunded meanwhile reads that the order was changed', async () => {
  const { id, lines } = await place('Emmy Noether')
  // Without live updates the page does not show what others do.
  await page.route('**/admin/console/updates', (route) => route.abort())
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Units of Shirt straw-hat to refund, 1 at most').fill('1')
  const unit = { lines: [{ lineId: lines[1]?.id, quantity: 1, restock: true }] }
  await merchants.shop.admin.post(`/admin/orders/${id}/refunds`, unit)
  await dialog.getByRole('button', { name: 'Refund $43.20' }).click()
  await page.getByText('This order was changed in the meantime.').waitFor()
  await dialog.getByLabel('Units of Shirt straw-hat').waitFor({ state: 'detached' })
  expect(refundsOf(await read(id))).toEqual(['4320, 1 straw-hat, 1 returned'])
  await page.unroute('**/admin/console/updates')
})
