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

const place = (name: string): Promise<Order> =>
  placePaidOrder(merchants.shop, name, [
    [shirt, 2],
    [hat, 1],
  ])
const read = (id: string): Promise<Order> => readOrder(merchants.shop, id)

const stockOf = (product: Product): Promise<number> => unitsInStock(merchants.shop, product)

/** The parcels of an order in words: units by product, and the tracking number. */
function parcelsOf({ lines, fulfilments = [] }: Order): string[] {
  return fulfilments.map((parcel) => {
    const content = parcel.lines.map(
      ({ lineId, quantity }) => `${quantity} ${lines.find(({ id }) => id === lineId)?.productSlug}`,
    )
    return [...content, parcel.tracking?.code ?? 'untracked'].join(', ')
  })
}

test('a merchant ships an order in two parcels, by keyboard alone', async () => {
  const { id, number } = await place('Grace Hopper')
  await page.goto(`/console/orders/${id}`)
  await tabTo(page.getByRole('button', { name: 'Mark as shipped' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByLabel('Units of Shirt linen-shirt in the parcel, 2 at most'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('1')
  await tabTo(dialog.getByLabel('Units of Shirt straw-hat in the parcel, 1 at most'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('0')
  await tabTo(dialog.getByLabel('Carrier'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('UPS')
  await tabTo(dialog.getByLabel('Tracking number'))
  await page.keyboard.type('1Z1')
  await dialog.getByRole('button', { name: 'Ship this parcel' }).waitFor()
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })

  const parcels = page.getByRole('region', { name: 'Parcels' })
  await parcels.getByText('1 × Shirt linen-shirt').waitFor()
  await page.locator('.badges').getByText('Partly shipped').waitFor()
  await page.getByText('A parcel was shipped: 1 × Shirt linen-shirt (UPS 1Z1).').waitFor()
  const first = await read(id)
  expect({ status: first.status, parcels: parcelsOf(first) }).toEqual({
    status: 'paid',
    parcels: ['1 linen-shirt, 1Z1'],
  })

  await tabTo(page.getByRole('button', { name: 'Mark as shipped' }))
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Units of Shirt linen-shirt in the parcel, 1 at most').waitFor()
  await tabTo(dialog.getByLabel('Tracking number'))
  await page.keyboard.type('1Z2')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The order was shipped.').waitFor()
  await parcels.getByText('Parcel 2').waitFor()
  await expectAccessible(page)
  const last = await read(id)
  expect({ status: last.status, parcels: parcelsOf(last) }).toEqual({
    status: 'fulfilled',
    parcels: ['1 linen-shirt, 1Z1', '1 linen-shirt, 1 straw-hat, 1Z2'],
  })
  await waitFor('the mails', async () => {
    const kinds = await Promise.all(
      (['partlyShipped', 'shipped'] as const).map((kind) => merchants.shop.mailsFor(number, kind)),
    )
    return kinds.every((mails) => mails.length === 1)
  })
})

test('a merchant corrects the tracking of the newest parcel', async () => {
  const { id, lines } = await place('Ada Lovelace')
  for (const [nth, code] of ['A1', 'A2'].entries())
    await merchants.shop.admin.post(`/admin/orders/${id}/fulfilments`, {
      lines: [{ lineId: lines[nth]?.id, quantity: 1 }],
      tracking: { carrier: 'DHL', code },
    })
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('region', { name: 'Parcels' }).getByRole('button', { name: 'Correct' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tracking number').fill('A3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A3', { exact: true }).waitFor()
  expect(parcelsOf(await read(id))).toEqual(['1 linen-shirt, A1', '1 straw-hat, A3'])
})

test('a merchant whose colleague was faster ships nothing twice', async () => {
  const { id, lines } = await place('Mary Anning')
  // Without live updates the page does not show what others do.
  await page.route('**/admin/console/updates', (route) => route.abort())
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Units of Shirt straw-hat in the parcel, 1 at most').waitFor()
  await merchants.shop.admin.post(`/admin/orders/${id}/fulfilments`, { lines: [{ lineId: lines[1]?.id, quantity: 1 }] })
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await page.getByText('This order was changed in the meantime.').waitFor()
  await dialog.getByLabel('Units of Shirt straw-hat in the parcel, 1 at most').waitFor({ state: 'detached' })
  expect(parcelsOf(await read(id))).toEqual(['1 straw-hat, untracked'])
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await page.getByText('The order was shipped.').waitFor()
  expect(parcelsOf(await read(id))).toEqual(['1 straw-hat, untracked', '2 linen-shirt, untracked'])
  await page.unroute('**/admin/console/updates')
})

test('a merchant who is about to ship an order reads that it was canceled elsewhere, and cannot ship it', async () => {
  const { id } = await place('Lise Meitner')
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tracking number').fill('L1')
  expect((await merchants.shop.admin.call('PATCH', `/admin/orders/${id}`, { status: 'cancelled' })).status).toBe(200)
  await dialog.getByText('The status of this order is now “Canceled”. Nothing more can be shipped.').waitFor()
  expect(await dialog.getByText('This order has not been paid').count()).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Mark as shipped' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a merchant finds a partly shipped order in the list, and cancels the remaining units', async () => {
  const { id, number, lines } = await place('Emmy Noether')
  await merchants.shop.admin.post(`/admin/orders/${id}/fulfilments`, { lines: [{ lineId: lines[0]?.id, quantity: 2 }] })
  const before = { shirts: await stockOf(shirt), hats: await stockOf(hat) }
  await page.goto('/console/orders')
  await page.getByRole('row', { name: number }).getByText('Partly shipped').filter({ visible: true }).waitFor()
  await page.getByRole('link', { name: number }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Keep it for now').click()
  await dialog.getByText('Items that have not been shipped yet return to stock at once.').waitFor()
  await dialog.getByLabel(`Type ${number} to confirm`).fill(number)
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByText('The order was canceled.').waitFor()
  await waitFor('the hat', async () => (await stockOf(hat)) > before.hats)
  expect({ shirts: await stockOf(shirt), hats: await stockOf(hat) }).toEqual({ ...before, hats: before.hats + 1 })
  expect((await read(id)).status).toBe('cancelled')
})

test('a merchant who cancels after a parcel was shipped reads what it held, refunds the rest, and still sees both', async () => {
  const { id, number, lines } = await place('Sofja Kowalewskaja')
  await merchants.shop.admin.post(`/admin/orders/${id}/fulfilments`, { lines: [{ lineId: lines[0]?.id, quantity: 1 }] })
  const before = { shirts: await stockOf(shirt), hats: await stockOf(hat) }
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Already shipped: 1 × Shirt linen-shirt.').waitFor()
  expect(
    await dialog.getByRole('radio', { name: /^Refund \$.* for the items that were not shipped/ }).isChecked(),
  ).toBe(true)
  await dialog.getByLabel(`Type ${number} to confirm`).fill(number)
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByText('The order was canceled.').first().waitFor()
  const { status, refunds, refundedTotal, total } = await read(id)
  expect(status).toBe('cancelled')
  expect(refunds.map((refund) => refund.lines?.map(({ quantity }) => quantity))).toEqual([[1, 1]])
  expect(refundedTotal.amount).toBeLessThan(total.amount)
  await waitFor('the hat', async () => (await stockOf(hat)) > before.hats)
  expect({ shirts: await stockOf(shirt), hats: await stockOf(hat) }).toEqual({
    shirts: before.shirts + 1,
    hats: before.hats + 1,
  })
  await page.getByRole('table', { name: 'Items' }).getByText('1 shipped').waitFor()
  await page.getByRole('region', { name: 'Parcels' }).getByText('1 × Shirt linen-shirt').waitFor()
})

test('the timeline and the payment of a canceled order name only the goods that were put on sale again', async () => {
  const { id, number, lines } = await place('Hypatia')
  await merchants.shop.admin.post(`/admin/orders/${id}/fulfilments`, { lines: [{ lineId: lines[0]?.id, quantity: 2 }] })
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Refund everything now').click()
  await dialog.getByLabel(`Type ${number} to confirm`).fill(number)
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByText('Returned to stock: 1 × Shirt straw-hat.').waitFor()
  await page.getByText('items not shipped returned to stock').waitFor()
  expect(await page.getByText('The items were returned to stock.').count()).toBe(0)
})
