import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BuyerDetails, Buyer, listOf, Order, type Product } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, type TestConsole } from '../support/console.ts'
import { waitForPayment } from '../support/paid-order.ts'
import { ADDRESS } from '../support/test-client.ts'

let merchants: TestConsole
/** The owner's window, for one task after the other. */
let page: Page
let shirt: Product

beforeAll(async () => {
  merchants = await openConsole()
  shirt = await merchants.shop.stockProduct('linen-shirt', 100)
  await buyAsGuest('grace@people.example', 'Grace Hopper')
  await buyAsGuest('mary@people.example', 'Mary Anning', 3)
  const ada = merchants.shop.client()
  await ada.register('ada@people.example')
  await ada.post('/me/addresses', { ...ADDRESS, city: 'New York', region: 'NY', postalCode: '10001', country: 'US' })
  await ada.buy(shirt.variants[0]?.id ?? '', 1, 'ada@people.example')
  page = await merchants.open('/customers')
})
afterAll(() => merchants.stopWithoutFault())

async function buyAsGuest(email: string, name: string, quantity = 1): Promise<void> {
  const client = merchants.shop.client()
  const cart = await client.cartWith(shirt.variants[0]?.id ?? '', quantity)
  const { body } = await client.checkOut(cart.id, email, { shipping_address: { ...ADDRESS, name } })
  await waitForPayment(merchants.shop.admin, `/admin/orders/${Order.parse(body).id}`)
}

async function buyer(q: string): Promise<Buyer | undefined> {
  return listOf(Buyer).parse((await merchants.shop.admin.get(`/admin/buyers?q=${q}`)).body).items[0]
}
async function details(q: string): Promise<BuyerDetails> {
  return BuyerDetails.parse((await merchants.shop.admin.get(`/admin/buyers/${(await buyer(q))?.id}`)).body)
}
const names = async () => page.getByRole('table').getByRole('row').getByRole('link').allInnerTexts()

test('a merchant sees who has paid most, with and without an account', async () => {
  await page.getByRole('link', { name: /Grace Hopper/ }).waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByLabel('Sort by').selectOption('Highest amount first')
  await waitFor('the order', async () => (await names())[0]?.startsWith('Mary Anning'))
  expect(new URL(page.url()).search).toBe('?sort=revenue')
  await page.getByText('Guests', { exact: true }).click()
  await page.getByText('ada@people.example').waitFor({ state: 'detached' })
  await page.getByText('Accounts', { exact: true }).click()
  await page.getByText('ada@people.example').first().waitFor()
  await page.getByText('grace@people.example').waitFor({ state: 'detached' })
  await page.goto('/console/customers?tag=unknown')
  await page.getByText('No buyer matches these filters').waitFor()
})

test('a merchant finds a guest, writes a note and tags the guest, by keyboard alone', async () => {
  await page.goto('/console/customers')
  await tabTo(page.getByRole('searchbox'))
  await page.keyboard.type('hopp')
  await tabTo(page.getByRole('link', { name: /Grace Hopper/ }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await tabTo(page.getByLabel('Write a note'))
  await page.keyboard.type('Prefers a call in the evening.')
  await tabTo(page.getByRole('button', { name: 'Save the note' }))
  await page.keyboard.press('Enter')
  await page.getByText('Prefers a call in the evening.').waitFor()
  await tabTo(page.getByRole('combobox', { name: 'Tags' }))
  await page.keyboard.type('VIP')
  await page.keyboard.press('Enter')
  await waitFor('the tag', async () => (await buyer('hopp'))?.tags.includes('VIP'))
  await expectAccessibleInAllColors(page)
  expect(await details('hopp')).toMatchObject({ notes: [{ text: 'Prefers a call in the evening.' }], tags: ['VIP'] })
})

test('tags that are added one right after the other are all kept', async () => {
  const path = /\/admin\/buyers\/[^/]+$/
  let sent = 0
  await page.route(path, async (route) => {
    if (route.request().method() === 'PATCH' && sent++ === 0) await setTimeout(500)
    await route.fallback()
  })
  const saved: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'PATCH') saved.push(response.status())
  })
  const tags = page.getByRole('combobox', { name: 'Tags' })
  for (const tag of ['Early', 'Late']) {
    await tags.fill(tag)
    await tags.press('Enter')
  }
  await waitFor('both changes', () => saved.length === 2)
  await page.unroute(path)
  expect((await buyer('hopp'))?.tags.toSorted()).toEqual(['Early', 'Late', 'VIP'])
})

/** Opens the page of a customer with an account from the list. */
async function openAda(): Promise<void> {
  await page.goto('/console/customers')
  await page
    .getByRole('link', { name: /ada@people.example|Ada/ })
    .first()
    .click()
}

test('a merchant sees the orders, totals and addresses of a customer with an account', async () => {
  await openAda()
  const totals = page.getByRole('region', { name: 'Orders and amounts' })
  await totals.waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/customers\/cus_/)
  expect(await totals.innerText()).toContain('$')
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
  await page.getByRole('link', { name: '← Orders' }).click()
  await page.waitForURL('**/console/orders')
})

test('a merchant sees the saved address of a customer written as in its country', async () => {
  await openAda()
  const addresses = page.getByRole('region', { name: 'Addresses', exact: true })
  await addresses.waitFor()
  expect(await addresses.innerText()).toContain('New York, NY 10001')
})

test('a merchant sees that totals and notes could not be read, and reads them again', async () => {
  const json = { code: 'forbidden', message: 'The test keeps this from the shop.', requestId: 'none' }
  await page.route(/\/admin\/buyers\?/, (route) => route.fulfill({ status: 403, json }))
  await page.reload()
  const error = page.getByRole('main').getByRole('alert')
  await error.waitFor()
  expect(await error.innerText()).toContain('The test keeps this from the shop.')
  await page.unroute(/\/admin\/buyers\?/)
  await error.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Orders and amounts' }).waitFor()
})

test('an owner exports the data of a guest, and deletes them after typing the address', async () => {
  await page.goto(`/console/customers/buyers/${(await buyer('mary'))?.id}`)
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await downloaded
  expect(file.suggestedFilename()).toBe('personal-data.json')
  await page.getByRole('button', { name: 'Delete the data' }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: 'Delete the data' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('Type mary@people.example to confirm').fill('mary@people.example')
  await remove.click()
  await page.getByText('The data of mary@people.example was deleted.').waitFor()
  await page.getByRole('link', { name: /Grace Hopper/ }).waitFor()
  expect(await buyer('mary')).toBeUndefined()
})

test('a long email address leaves the other columns of a list as wide as their words', async () => {
  await buyAsGuest(`${'far.away.'.repeat(6)}x@${'long-domain.'.repeat(6)}example`, 'Ida Rhodes')
  const later = await merchants.open('/customers')
  // The clock is ahead, so that the time of the order has several words.
  await later.clock.setFixedTime(Date.now() + 20 * 60_000)
  await later.reload()
  const time = later
    .getByRole('row', { name: /Ida Rhodes/ })
    .locator('time')
    .filter({ visible: true })
  await time.filter({ hasText: '20 minutes ago' }).waitFor()
  expect(await time.evaluate((words) => words.getClientRects().length)).toBe(1)
  expect(await later.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await later.close()
})

test('a support user reads and writes notes, and cannot delete the data of a person', async () => {
  const desk = await merchants.open(`/customers/buyers/${(await buyer('hopp'))?.id}`, 'support')
  await desk.getByLabel('Write a note').waitFor()
  await desk.getByRole('button', { name: 'Export' }).waitFor()
  expect(await desk.getByRole('button', { name: 'Delete the data' }).count()).toBe(0)
  // The note of the owner.
  expect(await desk.getByRole('button', { name: 'Actions for the note' }).count()).toBe(0)
})
