import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  tabTo,
  type TestConsole,
} from '../support/console.ts'
import { readOrder, waitForPayment } from '../support/paid-order.ts'
import { ADDRESS } from '../support/test-client.ts'

const BUYERS = ['Grace Hopper', 'Ada Lovelace', 'Mary Anning', 'Emmy Noether', 'Rosa Parks', 'Hedy Lamarr'] as const
type Buyer = (typeof BUYERS)[number]

let merchants: TestConsole
/** The owner's window, for one task after the other. */
let page: Page
let shirt: Product
let hat: Product
let orders: Map<string, Order>

beforeAll(async () => {
  merchants = await openConsole()
  const { shop } = merchants
  shirt = await shop.stockProduct('linen-shirt', 100)
  hat = await shop.stockProduct('straw-hat', 100)
  const window = merchants.open('/orders')
  const bought = await Promise.all(BUYERS.map(buy))
  orders = new Map(bought.map((order) => [order.shippingAddress.name, order]))
  page = await window
})
afterAll(() => merchants.stopWithoutFault())

/** Two shirts and a hat, paid by the demo provider. */
async function buy(name: Buyer): Promise<Order> {
  const client = merchants.shop.client()
  const cart = await client.cartWith(shirt.variants[0]?.id ?? '', 2)
  await client.post(`/carts/${cart.id}/lines`, { variant_id: hat.variants[0]?.id, quantity: 1 })
  const { body } = await client.checkOut(cart.id, 'buyer@example.com', { shipping_address: { ...ADDRESS, name } })
  return waitForPayment(merchants.shop.admin, `/admin/orders/${Order.parse(body).id}`)
}

/** A shirt that is sold at the merchant's own checkout. */
async function place(payment: object): Promise<Order> {
  const cart = await merchants.shop.client().cartWith(shirt.variants[0]?.id ?? '')
  const { body } = await merchants.shop.admin.post('/admin/orders', {
    cart_id: cart.id,
    email: 'buyer@example.com',
    shipping_address: ADDRESS,
    shipping_method: 'standard',
    payment,
  })
  return Order.parse(body)
}

const read = (id: string): Promise<Order> => readOrder(merchants.shop, id)

function orderOf(name: Buyer): Order {
  const order = orders.get(name)
  if (!order) throw new Error(`${name} has no order`)
  return order
}

test('a merchant finds an order by a part of a name and refunds one of its shirts', async () => {
  const { id, number } = orderOf('Ada Lovelace')
  // Words are indexed moments later.
  await waitFor('the search', async () => {
    const { body } = await merchants.shop.admin.get('/admin/orders?q=lovel')
    return JSON.stringify(body).includes(id)
  })
  await page.goto('/console/orders')
  await page.getByText('Grace Hopper').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('lovel')
  await page.getByText('Grace Hopper').first().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: number }).click()

  await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Copy the address' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  // As browsers have it on a page without TLS.
  await page.evaluate(`delete Navigator.prototype.clipboard`)
  await page.getByRole('button', { name: 'Copy the address' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Your browser does not let this page copy.' })
  await notice.waitFor()
  expect(await notice.textContent()).toContain(ADDRESS.line1)
  await notice.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Units of Shirt linen-shirt to refund').fill('1')
  await dialog.getByLabel('Reason').fill('A loose seam')
  await expectAccessible(page)
  // A third of the goods for 120 dollars, with its tax of 8 percent.
  await dialog.getByRole('button', { name: 'Refund $43.20' }).click()
  await page.getByText('A refund of $43.20 for 1 × Shirt linen-shirt was made.').waitFor()

  const { refunds, payment, status } = await read(id)
  expect(refunds).toMatchObject([{ amount: { amount: 4320, currency: 'USD' }, reason: 'A loose seam' }])
  expect({ payment: payment.status, status }).toEqual({ payment: 'partially_refunded', status: 'paid' })
})

test('a merchant ships an order with its tracking, corrects it and reports the delivery, by keyboard alone', async () => {
  const { id, number } = orderOf('Mary Anning')
  // The number works like the id.
  await page.goto(`/console/orders/${number}`)
  await tabTo(page.getByRole('button', { name: 'Mark as shipped' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(dialog.getByLabel('Tracking number'))
  await page.keyboard.type('1Z999')
  await page.keyboard.press('Enter')
  await page.getByText('Enter the carrier.').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('UPS')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await read(id)).toMatchObject({ status: 'fulfilled', tracking: { carrier: 'UPS', code: '1Z999', url: '' } })

  await tabTo(page.getByRole('button', { name: 'Correct' }))
  await page.keyboard.press('Enter')
  await tabTo(dialog.getByLabel('Link to the tracking page'))
  await page.keyboard.type('https://ups.example/1Z999')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '1Z999' }).waitFor()

  await tabTo(page.getByRole('button', { name: 'Mark as delivered' }))
  await page.keyboard.press('Enter')
  await page.getByText('The order was delivered.').waitFor()
  await expectAccessibleInAllColors(page)
  expect(await read(id)).toMatchObject({ status: 'delivered', tracking: { url: 'https://ups.example/1Z999' } })
})

test('a merchant cancels a paid order, refunds all of it and puts the goods on sale again', async () => {
  const { id, number, total } = orderOf('Emmy Noether')
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Cancel the order' }).click()
  const dialog = page.getByRole('dialog')
  const cancel = dialog.getByRole('button', { name: 'Cancel the order' })
  expect(await cancel.isDisabled()).toBe(true)
  await dialog.getByLabel(`Type ${number} to confirm`).fill(number)
  await cancel.click()
  await page.getByText('The order was canceled.').waitFor()

  expect(await read(id)).toMatchObject({
    status: 'cancelled',
    refundedTotal: total,
    refunds: [{ restocked: true }],
  })
  expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
})

test('a merchant who ships an order that was canceled meanwhile reads that it was canceled', async () => {
  const { id } = orderOf('Rosa Parks')
  await page.goto(`/console/orders/${id}`)
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await merchants.shop.admin.call('PATCH', `/admin/orders/${id}`, { status: 'cancelled' })
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
  await page.getByText('This order was changed in the meantime.').waitFor()
  await page.getByText('The order was canceled.').waitFor()
  expect((await read(id)).status).toBe('cancelled')
})

test('a merchant records a transfer, and accepts a payment of another amount', async () => {
  const unpaid = await place({ status: 'pending', provider: 'bank' })
  await page.goto(`/console/orders/${unpaid.id}`)
  await page.getByRole('button', { name: 'Record the payment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('How it was paid').fill('Transfer')
  await dialog.getByRole('button', { name: 'Record the payment' }).click()
  await page.getByText('The order was paid.').first().waitFor()
  expect(await read(unpaid.id)).toMatchObject({ status: 'paid', payment: { status: 'captured', method: 'Transfer' } })

  const short = await place({ status: 'captured', provider: 'till', amount: 2500 })
  await page.goto(`/console/orders/${short.id}`)
  await page.getByText('The order costs $50.15, but $25.00 was paid.').waitFor()
  await page.getByRole('button', { name: 'Accept the payment' }).click()
  await page.getByText('The order was paid.').first().waitFor()
  expect(await read(short.id)).toMatchObject({ status: 'paid' })
  expect(await read(short.id)).not.toHaveProperty('attention')
})

test('a merchant returns from an order to the same list, at the same place', async () => {
  const { number } = orderOf('Hedy Lamarr')
  await page.setViewportSize({ width: 1280, height: 260 })
  await page.goto('/console/orders')
  await page.getByRole('group', { name: 'Views' }).getByRole('link', { name: 'To pack' }).click()
  await page.getByText('Emmy Noether').waitFor({ state: 'detached' })
  const link = page.getByRole('link', { name: number })
  await page.evaluate('scrollTo(0, 120)')
  await link.scrollIntoViewIfNeeded()
  const place = await page.evaluate('scrollY')
  expect(place).toBeGreaterThan(0)
  await link.click()
  await page.getByRole('heading', { name: number }).waitFor()
  await page.getByRole('link', { name: '← Orders' }).click()
  await link.waitFor()
  expect(new URL(page.url()).search).toBe('?status=paid&sort=oldest')
  await waitFor('the place in the list', async () => (await page.evaluate('scrollY')) === place)
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('a merchant sees exactly when an order was placed while the pointer rests on its time', async () => {
  const { number, placedAt } = orderOf('Grace Hopper')
  const exact = await page.evaluate(
    (at) => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'medium' }).format(new Date(at)),
    placedAt,
  )
  await page.goto('/console/orders')
  const tooltip = page.getByRole('tooltip')
  for (const visit of ['first', 'again']) {
    await page.getByRole('row', { name: number }).locator('time').hover()
    expect(await tooltip.innerText(), visit).toBe(exact)
    await page.getByRole('heading', { level: 1 }).hover()
    await tooltip.waitFor({ state: 'detached' })
  }
})

test('an order opens in a tab of its own when its link is followed with the control key', async () => {
  const { id, number } = orderOf('Grace Hopper')
  await page.goto('/console/orders')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: number }).click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await tab.waitForURL(`**/console/orders/${id}`)
  await tab.close()
  expect(new URL(page.url()).pathname).toBe('/console/orders')
})

test('a merchant exports the orders that the filters show', async () => {
  const { number } = orderOf('Mary Anning')
  await page.goto('/console/orders?status=delivered')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloaded
  const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(file.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  // A row for each of its two lines.
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual([number, number])
  await page.getByText(/^orders-.*\.csv was downloaded/).waitFor()
})

test('an owner sends a mail again that did not arrive', async () => {
  const { number } = orderOf('Hedy Lamarr')
  await waitFor('the mail', async () => (await merchants.shop.mailsFor(number)).length > 0)
  await merchants.shop.sql(
    "update notifier.mails set phase = 'failed', answer = '550 full' where reference = $1 and kind = 'orderPlaced'",
    [number],
  )
  await page.goto(`/console/orders/${number}`)
  await page.getByText('550 full').waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('550 full').waitFor({ state: 'detached' })
  const mails = await merchants.shop.sql(
    "select phase from notifier.mails where reference = $1 and kind = 'orderPlaced' and phase <> 'failed'",
    [number],
  )
  expect(mails).toHaveLength(1)
})

test('a support user sees orders, and no button that changes one', async () => {
  const { id, number } = orderOf('Grace Hopper')
  const desk = await merchants.open('/orders?status=paid', 'support')
  await desk.getByRole('link', { name: number }).click()
  await desk.getByText('The order was paid.').waitFor()
  await desk.getByText('Order confirmation').waitFor()
  for (const name of ['Mark as shipped', 'Refund', 'Add', 'Send again', 'Add the note'])
    expect(await desk.getByRole('button', { name, exact: true }).count(), name).toBe(0)
  await desk.getByRole('button', { name: 'More actions' }).click()
  await desk.getByRole('menuitem', { name: 'Print packing slip' }).waitFor()
  expect(await desk.getByRole('menuitem', { name: 'Cancel the order' }).count()).toBe(0)
  expect((await read(id)).status).toBe('paid')
})
