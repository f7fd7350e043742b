import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { DraftOrder, DraftOrderSummary, Order, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  openConsole,
  tabTo,
  type TestConsole,
} from '../support/console.ts'
import { mailsTo, plain } from '../support/mails.ts'
import { placePaidOrder } from '../support/paid-order.ts'
import { ADDRESS } from '../support/test-client.ts'

let merchants: TestConsole
/** The owner's window, for one task after the other. */
let page: Page
let shirt: Product

beforeAll(async () => {
  merchants = await openConsole()
  shirt = await merchants.shop.stockProduct('linen-shirt', 100)
  await setMode('redirect')
  page = await merchants.open('/orders')
})
afterAll(() => merchants.stopWithoutFault())

async function setMode(mode: 'demo' | 'redirect'): Promise<void> {
  const checkout = { mode, provider: 'demo' }
  expect((await merchants.shop.admin.call('PATCH', '/admin/storefront', { checkout })).status).toBe(200)
}

const List = z.object({ items: z.array(DraftOrderSummary) })
async function draftsOf(email: string): Promise<DraftOrderSummary[]> {
  const { items } = List.parse((await merchants.shop.admin.get('/admin/draft-orders?per_page=100')).body)
  return items.filter((draft) => draft.email === email)
}

async function orderOf(email: string): Promise<Order> {
  return waitFor('the paid order', async () => {
    const id = (await draftsOf(email))[0]?.order?.id
    const order =
      id === undefined ? undefined : Order.parse((await merchants.shop.admin.get(`/admin/orders/${id}`)).body)
    return order?.status === 'paid' ? order : undefined
  })
}

/** A browser that is not the merchant's, on the page of the link. */
async function openAsBuyer(url: string): Promise<Page> {
  const buyer = await merchants.openSignedOut()
  await buyer.goto(url)
  return buyer
}

/** The link in the latest mail to this address. */
async function mailedLink(email: string): Promise<string> {
  return waitFor('the mail with the link', async () => {
    const mails = await mailsTo(merchants.shop, email)
    return /https?:\/\/[^\s"<>]+\/pay\/link_[\w-]+/.exec(plain(mails.at(-1) ?? ''))?.[0]
  })
}

async function addShirt(quantity: string): Promise<void> {
  await page.getByRole('button', { name: 'Add products' }).click()
  const picker = page.getByRole('dialog')
  await picker.getByLabel('Search products').fill(shirt.title)
  await picker.getByRole('checkbox', { name: shirt.title }).check()
  await picker.getByRole('button', { name: 'Add 1 product' }).click()
  // What is typed replaces the quantity 1.
  await page.getByLabel(`Quantity of ${shirt.title}`).click()
  await page.keyboard.type(quantity)
}

test('a merchant makes an order for a known buyer on the phone, who pays it through the link', async () => {
  await placePaidOrder(merchants.shop, 'Grace Hopper', [[shirt, 1]])
  await page.getByRole('link', { name: 'Create order' }).click()
  await addShirt('2')
  const email = page
    .getByRole('combobox', { name: 'Email address of the buyer' })
    .or(page.getByRole('textbox', { name: 'Email address of the buyer' }))
  await email.first().fill('Grace')
  await page.getByRole('option', { name: 'buyer@example.com Grace Hopper' }).click()
  await page.getByLabel('Recipient').and(page.locator('[value="Grace Hopper"]')).waitFor()
  await page.getByLabel('Shipping method').selectOption('Express')
  const totals = page.getByRole('region', { name: 'Total' })
  await totals.getByText('$14.95').waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('button', { name: 'Save the draft' }).dblclick()
  await page.getByRole('button', { name: 'Send payment link' }).dblclick()
  await page.getByText('The payment link was sent to buyer@example.com.').waitFor()
  expect(await page.getByLabel('Link for the buyer').inputValue()).toBe(await mailedLink('buyer@example.com'))
  expect(await draftsOf('buyer@example.com')).toHaveLength(1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('button', { name: 'Create a link to copy' }).click()
  await page.getByRole('dialog').getByText('The link that the buyer has stops working.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByLabel('Link for the buyer').inputValue()).toBe(await mailedLink('buyer@example.com'))
  await expectAccessibleInAllColors(page)

  const buyer = await openAsBuyer(await mailedLink('buyer@example.com'))
  await buyer.getByRole('heading', { name: 'Your order' }).waitFor()
  await buyer.getByText('Grace Hopper').waitFor()
  await buyer.getByRole('button', { name: /^Pay \$/ }).click()
  await buyer.getByRole('button', { name: /^Pay \$/ }).click()
  await buyer.getByText('You cannot be charged again.').waitFor()
  const order = await orderOf('buyer@example.com')
  expect(order).toMatchObject({
    shippingMethod: 'express',
    lines: [{ quantity: 2 }],
    shippingAddress: { name: 'Grace Hopper' },
  })

  // The page of the draft updates itself.
  await page.getByRole('link', { name: `Became order ${order.number}` }).click()
  await page.getByRole('heading', { name: order.number }).waitFor()
  await page.getByText('The order was created from a draft order.').waitFor()
})

test('a buyer reads the page of the link by keyboard alone, in all colors, and pays once', async () => {
  await setMode('demo')
  const draft = await merchants.shop.admin.post('/admin/draft-orders', {
    email: 'mary@example.com',
    lines: [{ variantId: shirt.variants[0]?.id, quantity: 1 }],
    shippingAddress: { name: 'Mary Anning', line1: '1 Beach', city: 'Lyme Regis', postalCode: 'DT7', country: 'GB' },
  })
  const { id } = z.object({ id: z.string() }).parse(draft.body)
  const sent = await merchants.shop.admin.post(`/admin/draft-orders/${id}/send`, { mail: false })
  const { url } = z.object({ url: z.string() }).parse(sent.body)
  const buyer = await openAsBuyer(url)
  await buyer.getByRole('heading', { name: 'Your order' }).waitFor()
  await buyer.setViewportSize({ width: 360, height: 800 })
  expect(await buyer.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  for (const colorScheme of ['light', 'dark'] as const) {
    await buyer.emulateMedia({ colorScheme })
    await expectAccessible(buyer)
  }
  await tabTo(buyer.getByRole('button', { name: /^Pay \$/ }))
  await buyer.keyboard.press('Enter')
  await buyer.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
  const order = await orderOf('mary@example.com')
  await buyer.goto(url)
  await buyer.getByText(`Your order number is ${order.number}.`).waitFor()
  expect(await draftsOf('mary@example.com')).toMatchObject([{ status: 'ordered' }])
})

test('a merchant reads beside each field of a draft order what is wrong with it', async () => {
  await page.goto('/console/orders/drafts/new')
  await addShirt('2')
  const email = page.locator('input').and(page.getByLabel('Email address of the buyer'))
  const code = page.getByLabel('Discount code')
  /** What a screen reader says of a wrong field. */
  const faultOf = async (field: Locator): Promise<string> => {
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).allInnerTexts()))
    return (await field.getAttribute('aria-invalid')) === 'true' ? texts.flat().join(' ') : 'nothing'
  }
  await code.fill('nothing')
  await expect.poll(() => faultOf(code)).toContain('code')
  // The form still shows a total without the code.
  await page.getByRole('region', { name: 'Total' }).getByText('Subtotal').waitFor()
  await expectAccessibleInAllColors(page)
  await code.fill('')
  await expect.poll(() => faultOf(code)).toBe('nothing')
  await email.fill('grace at example.com')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await expect.poll(() => faultOf(email)).toContain('This is not a valid email address.')
  await email.fill('')
  await page.keyboard.press('Escape')
  await expect.poll(() => faultOf(email)).toBe('nothing')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByRole('button', { name: 'Send payment link' }).click()
  await expect.poll(() => faultOf(email)).toContain('Fill in this field.')
  await page.getByRole('button', { name: 'Cancel the draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the draft' }).click()
  await page.getByText('This draft order was canceled.').waitFor()
})

test('a merchant makes and cancels a draft order, by keyboard alone', async () => {
  await page.goto('/console/orders/drafts')
  await tabTo(page.getByRole('link', { name: 'Create order' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Add products' }))
  await page.keyboard.press('Enter')
  const picker = page.getByRole('dialog')
  await tabTo(picker.getByLabel('Search products'))
  await page.keyboard.type(shirt.title)
  await tabTo(picker.getByRole('checkbox', { name: shirt.title }))
  await page.keyboard.press('Space')
  await tabTo(picker.getByRole('button', { name: 'Add 1 product' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByLabel('Discount code'))
  await page.keyboard.type('nothing')
  await page.getByRole('alert').getByText(/code/i).first().waitFor()
  for (let pressed = 0; pressed < 'nothing'.length; pressed++) await page.keyboard.press('Backspace')
  await page.getByRole('region', { name: 'Total' }).getByText('Subtotal').waitFor()
  await tabTo(page.getByRole('button', { name: 'Save the draft' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Send payment link' }))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Please enter your email address.').waitFor()
  await tabTo(page.getByRole('button', { name: 'Cancel the draft' }))
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog')
  await tabTo(question.getByRole('button', { name: 'Cancel the draft' }))
  await page.keyboard.press('Enter')
  await page.getByText('This draft order was canceled.').waitFor()
  expect(await draftsOf('')).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }])
  await page.goto('/console/orders/drafts?status=cancelled')
  await page.getByRole('link', { name: 'No buyer yet' }).first().waitFor()
  await expectAccessibleInAllColors(page)
})

const conflict = (): Locator => page.getByRole('dialog', { name: 'Someone else saved first' })
const note = (): Locator => page.getByLabel('Note')

async function newDraft(content: object = {}): Promise<string> {
  const lines = [{ variantId: shirt.variants[0]?.id, quantity: 1 }]
  const { body } = await merchants.shop.admin.post('/admin/draft-orders', { lines, ...content })
  return z.object({ id: z.string() }).parse(body).id
}

async function draftAt(id: string) {
  return DraftOrder.parse((await merchants.shop.admin.get(`/admin/draft-orders/${id}`)).body)
}

/** A colleague changes a draft that is open here, which then reads it again. */
async function changeElsewhere(id: string, change: object): Promise<void> {
  const isReadAgain = page.waitForResponse((response) => {
    return response.url().endsWith(id) && response.request().method() === 'GET'
  })
  expect((await merchants.shop.admin.call('PATCH', `/admin/draft-orders/${id}`, change)).status).toBe(200)
  await isReadAgain
}

test('a merchant keeps both changes of a draft order that a colleague has saved meanwhile', async () => {
  const id = await newDraft({ email: 'rosa@example.com', note: 'On the phone' })
  await page.goto(`/console/orders/drafts/${id}`)
  await note().fill('Wants it wrapped')
  await changeElsewhere(id, { shippingAddress: { ...ADDRESS, city: 'Bath' } })
  await page.keyboard.press('Control+s')
  await conflict().getByText('Changed: Delivery address').waitFor()
  await conflict().getByText('Your unsaved changes: Note').waitFor()
  await expectAccessibleInAllColors(page)
  await conflict().getByRole('button', { name: 'Keep both changes' }).click()
  await page.getByText('The draft was saved.').last().waitFor()
  await expect.poll(() => draftAt(id)).toMatchObject({ note: 'Wants it wrapped', shippingAddress: { city: 'Bath' } })
  expect(await page.getByLabel('City').inputValue()).toBe('Bath')
})

test('a merchant who writes in a draft order that a colleague cancels sees it as it was canceled', async () => {
  const id = await newDraft({ note: 'Before' })
  await page.goto(`/console/orders/drafts/${id}`)
  await note().fill('Too late')
  expect((await merchants.shop.admin.call('DELETE', `/admin/draft-orders/${id}`)).status).toBe(200)
  await page.getByText('This draft order was canceled.').waitFor()
  await expect.poll(() => note().inputValue()).toBe('Before')
})

test('a payment link that a colleague has replaced is no longer shown', async () => {
  const id = await newDraft({ email: 'joan@example.com', shippingAddress: ADDRESS })
  await page.goto(`/console/orders/drafts/${id}`)
  await page.getByRole('button', { name: 'Create a link to copy' }).click()
  await page.getByLabel('Link for the buyer').waitFor()
  expect((await merchants.shop.admin.post(`/admin/draft-orders/${id}/send`, { mail: false })).status).toBe(200)
  await page.getByLabel('Link for the buyer').waitFor({ state: 'hidden' })
})

test('a merchant who saves a draft order that has just been canceled learns why it is not saved', async () => {
  const id = await newDraft()
  // The canceled draft is seen only when it is saved.
  await page.route('**/admin/console/updates', (route) => route.abort())
  await page.goto(`/console/orders/drafts/${id}`)
  await note().fill('Too late')
  expect((await merchants.shop.admin.call('DELETE', `/admin/draft-orders/${id}`)).status).toBe(200)
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await page.getByText('This draft order was paid or canceled in the meantime.').waitFor()
  await page.getByText('This draft order was canceled.').waitFor()
  expect(await note().inputValue()).toBe('')
  await page.unroute('**/admin/console/updates')
})

test('what a merchant types into a draft order stays when it cannot be read again', async () => {
  const id = await newDraft()
  await page.goto(`/console/orders/drafts/${id}`)
  await note().fill('Typed before')
  let failures = 0
  await page.route(`**/admin/draft-orders/${id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    failures++
    await route.fulfill({ status: 403, json: { code: 'forbidden', message: 'Not now.', requestId: 'none' } })
  })
  // Each change of any draft makes the console read again: at the second failure the first one has been shown.
  for (const failed of [1, 2]) {
    await newDraft()
    await waitFor('a failed read', async () => failures >= failed)
  }
  await page.unroute(`**/admin/draft-orders/${id}`)
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await expect.poll(() => draftAt(id)).toMatchObject({ note: 'Typed before' })
})

test('a merchant reads in their own language why a draft order cannot be bought', async () => {
  const code = { code: 'GONE', kind: 'percent', value: 10 }
  expect((await merchants.shop.admin.post('/admin/discounts', code)).status).toBe(200)
  const id = await newDraft({ discountCode: 'GONE' })
  expect((await merchants.shop.admin.call('DELETE', '/admin/discounts/GONE')).status).toBeLessThan(300)
  await page.evaluate(`localStorage.setItem('console-language', 'de')`)
  await page.goto(`/console/orders/drafts/${id}`)
  await page.getByRole('heading', { name: 'Summe' }).waitFor()
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toEqual([expect.stringContaining('Dieser Rabatt gilt hier nicht.')])
  await page.evaluate(`localStorage.removeItem('console-language')`)
})

test('a support user sees draft orders and cannot make one', async () => {
  const reader = await merchants.open('/orders/drafts', 'support')
  await reader.getByRole('link', { name: 'Grace Hopper' }).click()
  await reader.getByRole('link', { name: /^Became order/ }).waitFor()
  await reader.goto('/console/orders')
  await reader.getByRole('link', { name: 'Draft orders' }).waitFor()
  expect(await reader.getByRole('link', { name: 'Create order' }).count()).toBe(0)
})
