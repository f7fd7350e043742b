import { setTimeout } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Product, type Order } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { expectAccessibleInAllColors, openConsole, tabTo, undo, type TestConsole } from '../support/console.ts'
import { ADDRESS, type TestClient } from '../support/test-client.ts'

const EMAIL = 'ada@mail.example'

let desk: TestConsole
let ada: TestClient
let order: Order
/** The window of an owner, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  desk = await openConsole()
  const { shop } = desk
  const [shirt] = await Promise.all([shop.stockProduct('linen', 4), shop.stockProduct('tweed', 30)])
  ada = shop.client()
  await ada.register(EMAIL)
  await ada.post('/me/addresses', ADDRESS)
  order = await ada.buy(shirt.variants[0]?.id ?? '', 1, EMAIL)
  await ada.post('/products/linen/reviews', { author: 'Ada L.', rating: 4, body: 'Cool in summer.' })
  await ada.post('/products/tweed/reviews', { author: 'Ada the Second', rating: 1, body: 'It itches.' })
  page = await desk.open()
  page.setDefaultTimeout(10_000)
})
afterAll(() => desk.stop())

async function go(screen: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: screen }).click()
  await page.getByRole('heading', { level: 1, name: screen }).waitFor()
}

/** Keeps the shop from receiving these requests, which fail in a way that is not tried again. */
async function breakRequests(path: RegExp): Promise<void> {
  const json = { code: 'forbidden', message: 'The test keeps this from the shop.', requestId: 'none' }
  await page.route(path, (route) => route.fulfill({ status: 403, json }))
}

const leaving = () => page.getByRole('dialog', { name: 'Leave without saving?' })

/** Follows a link to another screen, and answers the question about unsaved changes. */
async function leaveFor(screen: string, action: 'Stay' | 'Leave without saving'): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: screen }).click()
  await leaving().getByRole('button', { name: action }).click()
  await leaving().waitFor({ state: 'detached' })
}

const stockOf = (slug: string) => desk.shop.client().inventory(slug)

test('the home screen shows what it could check, and reports that other things could not be checked', async () => {
  const waiting = page.getByRole('region', { name: 'Waiting for you' })
  const [orders, others] = [/\/admin\/attention/, /\/admin\/(?:products\/low-stock|webhooks|notifications)/]
  for (const path of [orders, others]) await breakRequests(path)
  await page.reload()
  await waiting.getByText('Some of this could not be checked.').waitFor()
  expect(await waiting.getByText('You are all caught up.').count()).toBe(0)
  await expectAccessibleInAllColors(page)
  await page.unroute(orders)
  await waiting.getByRole('button', { name: 'Try again' }).click()
  await waiting.getByRole('link', { name: 'Orders to pack' }).waitFor()
  await waiting.getByText('Some of this could not be checked.').waitFor()
  await page.unroute(others)
  await waiting.getByRole('button', { name: 'Try again' }).click()
  await waiting.getByText('Some of this could not be checked.').waitFor({ state: 'detached' })
})

test('a merchant looks at the figures of a currency in which the shop sold before', async () => {
  const summary = /\/admin\/summary/
  await page.route(summary, async (route) => {
    const isEarlier = new URL(route.request().url()).searchParams.get('currency') === 'EUR'
    const response = await route.fetch()
    const body = z.looseObject({}).parse(await response.json())
    await route.fulfill({ response, json: { ...body, otherCurrencies: [isEarlier ? 'USD' : 'EUR'] } })
  })
  await page.reload()
  await page.getByLabel('Currency').selectOption('EUR')
  await page.getByText('€0.00', { exact: true }).first().waitFor()
  expect(new URL(page.url()).searchParams.get('currency')).toBe('EUR')
  await expectAccessibleInAllColors(page)
  await page.getByLabel('Currency').selectOption('USD')
  await page.getByText('€0.00', { exact: true }).first().waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('currency')).toBeNull()
  await page.unroute(summary)
})

test('a merchant corrects the stock of a variant, and undoes it', async () => {
  await go('Stock')
  const field = page.getByLabel('Available of linen-M')
  await expectAccessibleInAllColors(page)
  await field.fill('12')
  await field.press('Enter')
  await page.getByText('linen-M: 12 available instead of 3').waitFor()
  expect(await stockOf('linen')).toBe(12)

  await undo(page, 'linen-M: 12 available')
  await page.getByText('linen-M: back to 3 available').waitFor()
  expect(await field.inputValue()).toBe('3')
  expect(await stockOf('linen')).toBe(3)

  // A unit is sold before the row shows it.
  const [variant] = Product.parse((await ada.get('/products/linen')).body).variants
  const sell = async (route: Route) => {
    await desk.shop.admin.post(`/admin/variants/${variant?.id}/inventory`, { delta: -1 })
    await route.continue()
  }
  await page.route(/\/inventory$/, sell, { times: 1 })
  await field.fill('12')
  await field.press('Enter')
  await undo(page, 'linen-M: 12 available instead of 2')
  await page.getByText('linen-M: back to 2 available').waitFor()
  await field.fill('+1')
  await field.press('Enter')
  await page.getByText('linen-M: 3 available instead of 2').waitFor()
  expect(await stockOf('linen')).toBe(3)
})

test('a merchant types another limit of low stock', async () => {
  const limit = page.getByLabel('Available, at most')
  await limit.fill('20')
  await page.waitForURL((url) => url.searchParams.get('threshold') === '20')
  await limit.fill('')
  await page.waitForURL((url) => !url.searchParams.has('threshold'))
  await limit.press('9')
  expect(await limit.inputValue()).toBe('9')
  await limit.fill('5')
  await page.waitForURL((url) => url.searchParams.get('threshold') === '5')
})

test('Escape restores a quantity, and arrows lead to the next row', async () => {
  await page.getByRole('tab', { name: 'All' }).click()
  const first = page.getByLabel('Available of linen-M')
  await first.fill('99')
  await first.press('Escape')
  expect(await first.inputValue()).toBe('3')
  await first.press('ArrowDown')
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Available of tweed-M')
  await page.keyboard.type('-5')
  await page.keyboard.press('Enter')
  await page.getByText('tweed-M: 25 available instead of 30').waitFor()
  expect(await stockOf('tweed')).toBe(25)
})

test('a quantity out of range is reported with the possible range', async () => {
  const field = page.getByLabel('Available of tweed-M')
  for (const [typed, fault] of [
    ['-999', 'Only 25 available'],
    ['99999999999', 'At most 1,000,000,000'],
    ['+1000000000', 'At most 1,000,000,000'],
    ['few', 'Type a number such as 12, +5 or -3'],
  ] as const) {
    await field.fill(typed)
    await field.press('Enter')
    await page.getByText(fault).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
  }
  await field.press('Escape')
  expect(await stockOf('tweed')).toBe(25)
})

test('a change of stock whose response was lost is made once', async () => {
  const field = page.getByLabel('Available of linen-M')
  const change = async (typed: string): Promise<void> => {
    await field.fill(typed)
    await field.press('Enter')
  }
  await page.route(/\/inventory$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await change('+5')
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => field.inputValue()).toBe('8')
  await page.unroute(/\/inventory$/)
  await change('+5')
  await page.getByText('linen-M: this had been saved already; 8 available').waitFor()
  await change('-5')
  await page.getByText('linen-M: 3 available instead of 8').waitFor()
  expect(await stockOf('linen')).toBe(3)
})

test('what is typed into a list stays when the list cannot be read again', async () => {
  const field = page.getByLabel('Available of tweed-M')
  await field.fill('77')
  await breakRequests(/\/admin\//)
  const other = page.getByLabel('Available of linen-M')
  await other.fill('+1')
  await other.press('Enter')
  const note = page.getByRole('status').filter({ hasText: 'This list could not be refreshed' })
  await note.waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  expect(await field.inputValue()).toBe('77')
  await expectAccessibleInAllColors(page)
  await page.unroute(/\/admin\//)
  await note.getByRole('button', { name: 'Try again' }).click()
  await note.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('77')
  await field.press('Escape')
})

test('the history of a variant shows what was done and by whom', async () => {
  await page.getByRole('button', { name: 'Stock of linen-M' }).click()
  const history = page.getByRole('dialog')
  await history.getByText('Change undone').first().waitFor()
  await history.getByRole('row').filter({ hasText: 'Reserved by a checkout' }).waitFor()
  await expectAccessibleInAllColors(page)
  await history.getByLabel('Add or subtract').fill('-99')
  await history.getByRole('button', { name: 'Save' }).click()
  await history.getByText('Only 3 available').waitFor()
  await history.getByLabel('Add or subtract').fill('2')
  await history.getByLabel('Reason').fill('Found in the cellar')
  await breakRequests(/\/inventory$/)
  await history.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  expect(await history.getByLabel('Reason').inputValue()).toBe('Found in the cellar')
  await page.unroute(/\/inventory$/)
  await history.getByRole('button', { name: 'Save' }).click()
  await history.getByRole('row').filter({ hasText: 'Found in the cellar' }).waitFor()
  expect(await stockOf('linen')).toBe(5)
  await expect.poll(() => history.getByLabel('Reason').inputValue()).toBe('')
  await page.keyboard.press('Escape')
})

test('a stocktake shows the differences before it saves them', async () => {
  await page.getByRole('link', { name: 'Stocktake' }).click()
  await page.getByLabel('Counts').fill('sku;quantity\nlinen-M;7\ntweed-M;25\nno-such-sku;1')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('1 count differs from the shop. 1 is the same.').waitFor()
  await page.getByText('no-such-sku').waitFor()
  expect(await stockOf('linen')).toBe(5)
  await expectAccessibleInAllColors(page)
  await page.getByRole('button', { name: 'Save 1 difference' }).click()
  await page.getByText('The stock of 1 variant was corrected.').waitFor()
  expect(await stockOf('linen')).toBe(7)
  await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
  await waitFor('the former stock', async () => (await stockOf('linen')) === 5)
})

test('a merchant is asked before they leave a stocktake that is typed or being saved', async () => {
  await page.goto('/console/stock/stocktake')
  await page.getByLabel('Counts').fill('sku;quantity\nlinen-M;6')
  await leaveFor('Discounts', 'Stay')
  expect(await page.getByLabel('Counts').inputValue()).toContain('linen-M;6')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('1 count differs from the shop.').waitFor()
  await leaveFor('Discounts', 'Stay')
  const held = Promise.withResolvers<void>()
  await page.route(/\/inventory$/, async (route) => {
    await held.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Save 1 difference' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Discounts' }).click()
  await leaving().getByText('Differences are still being saved.').waitFor()
  await leaving().getByRole('button', { name: 'Stay' }).click()
  held.resolve()
  await page.getByText('The stock of 1 variant was corrected.').waitFor()
  await page.unroute(/\/inventory$/)
  expect(await stockOf('linen')).toBe(6)
  await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
  await waitFor('the former stock', async () => (await stockOf('linen')) === 5)
  await page.getByRole('main').getByText('The stock of 1 variant was corrected.').waitFor()
})

test('a merchant who cannot read the settings of the shop tries again before they make a discount', async () => {
  await breakRequests(/\/admin\/storefront$/)
  await page.goto('/console/discounts/new')
  const error = page.getByRole('main').getByRole('alert')
  await error.waitFor()
  await page.unroute(/\/admin\/storefront$/)
  await error.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Code', { exact: true }).waitFor()
  expect(await error.count()).toBe(0)
})

test('a merchant makes a discount code by keyboard alone, and a cart accepts it', async () => {
  await go('Discounts')
  await page.getByRole('link', { name: 'Create a discount' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Code', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Enter 1 to 50 characters').waitFor()
  await expectAccessibleInAllColors(page)
  await page.keyboard.type('rain20')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('20')
  await page.keyboard.press('Tab')
  await page.keyboard.type('For rainy days')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'RAIN20' }).waitFor()
  await page.getByText('20% off').waitFor()

  const linen = await desk.shop.client().get('/products/linen')
  const { variants } = z.object({ variants: z.array(z.object({ id: z.string() })) }).parse(linen.body)
  const shopper = desk.shop.client()
  const cart = await shopper.cartWith(variants[0]?.id ?? '')
  const priced = await shopper.post(`/carts/${cart.id}/discount`, { code: 'Rain20' })
  expect(priced.body).toMatchObject({ discount: { amount: 800 } })
})

test('a code that exists is not changed by creating it', async () => {
  await page.getByRole('link', { name: 'Create a discount' }).click()
  await page.getByLabel('Code', { exact: true }).fill('Rain20')
  await page.getByLabel('Percent off').fill('90')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('RAIN20 already exists.').first().waitFor()
  expect((await desk.shop.admin.get('/admin/discounts/RAIN20')).body).toMatchObject({ value: 20 })
  await leaveFor('Discounts', 'Stay')
  expect(await page.getByLabel('Percent off').inputValue()).toBe('90 %')
  await leaveFor('Discounts', 'Leave without saving')
})

test('numbers out of range are reported, also when the button is clicked from their field', async () => {
  await page.getByRole('link', { name: 'Create a discount' }).click()
  await page.getByLabel('Code', { exact: true }).fill('OVER150')
  await page.getByLabel('Total limit').fill('-4')
  await page.getByLabel('Percent off').fill('150')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('Enter a whole number from 1 to 100.').waitFor()
  await page.getByLabel('Percent off').fill('15')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByLabel('Total limit').and(page.locator('[aria-invalid="true"]')).waitFor()
  expect((await desk.shop.admin.get('/admin/discounts/OVER150')).body).toMatchObject({ code: 'not_found' })
  await leaveFor('Discounts', 'Leave without saving')
})

test('an amount with separators is read as it was written, and one below zero is reported', async () => {
  await page.getByRole('link', { name: 'Create a discount' }).click()
  await page.getByLabel('Code', { exact: true }).fill('LARGE')
  await page.getByText('Amount', { exact: true }).click()
  await page.getByLabel('Amount off').fill('1,200')
  await page.getByLabel('Minimum order').fill('-5')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('This is not an amount.').waitFor()
  await page.getByLabel('Minimum order').fill('1,500.00')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('LARGE was created').waitFor()
  expect((await desk.shop.admin.get('/admin/discounts/LARGE')).body).toMatchObject({
    value: 120_000,
    minSubtotal: 150_000,
  })
})

test('an end of which the time is missing is reported, and the discount is not made without an end', async () => {
  await page.goto('/console/discounts/new')
  await page.getByLabel('Code', { exact: true }).fill('DUSK')
  await page.getByLabel('Percent off').fill('15')
  const end = page.getByLabel('Ends', { exact: true })
  await end.focus()
  await page.keyboard.type('05092031')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('Enter the whole date and time, or clear the field.').waitFor()
  expect(await end.getAttribute('aria-invalid')).toBe('true')
  expect((await desk.shop.admin.get('/admin/discounts/DUSK')).body).toMatchObject({ code: 'not_found' })
  await end.fill('2031-05-09T20:30')
  await page.getByRole('button', { name: 'Create a discount' }).click()
  await page.getByText('DUSK was created').waitFor()
  const endsAt = new Date('2031-05-09T20:30').toISOString()
  expect((await desk.shop.admin.get('/admin/discounts/DUSK')).body).toMatchObject({ endsAt })
})

test('a merchant changes a discount and undoes it, and deletes it and undoes that', async () => {
  const read = async () => (await desk.shop.admin.get('/admin/discounts/RAIN20')).body
  await page.getByRole('searchbox').fill('rain')
  await page.waitForURL('**/discounts?q=rain')
  await page.getByRole('link', { name: 'RAIN20' }).click()
  await page.getByRole('link', { name: '← Discounts' }).click()
  await page.waitForURL('**/discounts?q=rain')
  await page.getByRole('link', { name: 'RAIN20' }).click()
  await page.getByLabel('Percent off').fill('25')
  await page.getByLabel('Total limit').fill('100')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('changed RAIN20').waitFor()
  expect(await read()).toMatchObject({ value: 25, usageLimit: 100, label: 'For rainy days' })
  await undo(page, 'RAIN20 was saved')
  await page.getByText('RAIN20 was restored').waitFor()
  await expectAccessibleInAllColors(page)
  expect(await page.getByLabel('Percent off').inputValue()).toBe('20 %')
  expect(await read()).not.toHaveProperty('usageLimit')

  await page.getByRole('button', { name: 'Delete' }).dblclick()
  await page.getByText('RAIN20 was deleted').waitFor()
  expect(await read()).toMatchObject({ code: 'not_found' })
  await undo(page, 'RAIN20 was deleted')
  await page.getByRole('link', { name: 'RAIN20' }).waitFor()
  expect(await read()).toMatchObject({ value: 20, label: 'For rainy days' })
  // The second click would have reported that the code is unknown.
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a merchant publishes a pending review by keyboard, and shoppers see it', async () => {
  await go('Reviews')
  // A page whose reviews were all decided on.
  await page.goto(new URL('?page=2', page.url()).href)
  await page.getByRole('article').first().waitFor()
  await expectAccessibleInAllColors(page)
  const did: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/admin/reviews')) did.push('read the list')
  })
  page.on('response', (response) => {
    if (response.request().method() === 'PATCH') did.push('decided')
  })
  const decision = /\/admin\/reviews\/[^/?]+$/
  let sent = 0
  await page.route(decision, async (route) => {
    if (sent++ === 1) await setTimeout(500)
    await route.fallback()
  })
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await page.keyboard.press('p')
  await page.getByText('The review by Ada the Second was hidden').waitFor()
  await page.getByText('The review by Ada L. was published').waitFor()
  await page.getByText('No reviews to check').waitFor()
  await page.unroute(decision)
  // A list that is read between the two would show the second review again.
  expect(did.slice(0, 2)).toEqual(['decided', 'decided'])
  const shown = await desk.shop.client().get('/products/linen/reviews')
  expect(shown.body).toMatchObject({ items: [{ author: 'Ada L.', body: 'Cool in summer.' }] })
  expect((await desk.shop.client().get('/products/tweed/reviews')).body).toMatchObject({ items: [] })
})

test('a merchant hides a published review and undoes it', async () => {
  const shown = async () => (await desk.shop.client().get('/products/linen/reviews')).body
  await page.getByRole('tab', { name: 'Published' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: 'Cancel' }).focus()
  // Under the dialog nothing is decided.
  await page.keyboard.press('h')
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByText('No published reviews').waitFor()
  await page.getByText('The review by Ada L. was hidden').waitFor()
  expect(await shown()).toMatchObject({ items: [] })
  await undo(page, 'The review by Ada L. was hidden')
  await page.getByRole('article').getByText('Cool in summer.').waitFor()
  expect(await shown()).toMatchObject({ items: [{ author: 'Ada L.' }] })
})

test('text that is typed before the results for its beginning are shown stays in the field', async () => {
  await go('Customers')
  await page.getByRole('searchbox', { name: 'Search by name or email' }).waitFor()
  // Continues to type as soon as the address has the first text, and looks at every frame until it has all of it.
  const seen = await page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector('input[type="search"]')
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    const seen = []
    const type = (text) => {
      set.call(box, text)
      box.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const look = () => {
      seen.push(box.value)
      if (location.search === '?q=lovelace') resolve(seen)
      else requestAnimationFrame(look)
    }
    const { replaceState } = history
    history.replaceState = (...args) => {
      history.replaceState = replaceState
      replaceState.apply(history, args)
      type('lovelace')
      look()
    }
    type('lovel')
  })`)
  expect(seen).toContain('lovelace')
  expect(seen).not.toContain('lovel')
})

test('a merchant finds a customer and sees their order', async () => {
  await go('Customers')
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('lovel')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('link', { name: order.number }).waitFor()
  await page.getByText('12 St James Square').waitFor()
  await page.getByRole('link', { name: EMAIL }).waitFor()
  await expectAccessibleInAllColors(page)
})

test('a merchant reaches what a customer ordered with an earlier address', async () => {
  const listed = /\/admin\/buyers\?/
  const earlier = { id: 'earlier', email: 'ada@earlier.example' }
  await page.route(listed, async (route) => {
    const response = await route.fetch()
    const body = z.object({ items: z.array(z.looseObject({})) }).parse(await response.json())
    // The shop lists the latest order first, whatever its address.
    await route.fulfill({ response, json: { ...body, items: [{ ...body.items[0], ...earlier }, ...body.items] } })
  })
  await page.reload()
  const link = page.getByRole('region', { name: 'Also ordered as' }).getByRole('link', { name: earlier.email })
  expect(await link.getAttribute('href')).toBe('/console/customers/buyers/earlier')
  await page.getByRole('heading', { name: 'Notes' }).waitFor()
  await page.unroute(listed)
})

test('the search of the shop says where it could not search, and searches there again', async () => {
  const orders = /\/admin\/orders\?q=/
  await breakRequests(orders)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find an order').fill('ada')
  const palette = page.getByRole('dialog')
  await palette.getByRole('button', { name: EMAIL }).waitFor()
  const failed = palette.getByRole('button', { name: 'This could not be searched' })
  await failed.waitFor()
  await page.unroute(orders)
  await failed.click()
  await palette.getByRole('button', { name: order.number }).waitFor()
  expect(await failed.count()).toBe(0)
  // The results of this text must not be offered for a longer one, which is still being searched.
  const late = Promise.withResolvers<void>()
  await page.route(orders, async (route) => {
    await late.promise
    await route.continue()
  })
  await page.getByPlaceholder('Find an order').fill('ada@nowhere')
  await palette.getByText('Searching …').waitFor()
  expect(await palette.getByRole('button', { name: EMAIL }).count()).toBe(0)
  late.resolve()
  await palette.getByText('Nothing found').waitFor()
  await page.unroute(orders)
  await page.keyboard.press('Escape')
})

test('the activity shows what was just done', async () => {
  await go('Activity')
  const list = page.getByRole('region', { name: 'Activity' })
  await list.getByText('Discount “RAIN20” was created.').first().waitFor()
  await list.getByText(/The stock of “Shirt linen, linen-M” was changed from 3 to 12/).waitFor()
  await expectAccessibleInAllColors(page)
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'Reviews' }).click()
  await list
    .getByText(/Discount/)
    .first()
    .waitFor({ state: 'detached' })
  expect(await list.getByText(/^Review .* was changed/).count()).toBe(4)
  expect(page.url()).toContain('subject=review')
})

test('a fulfilment user sees stock, and neither discounts nor customers', async () => {
  const fulfilment = await desk.open('/stock?tab=all', 'fulfilment')
  await fulfilment.getByLabel('Available of linen-M').waitFor()
  const links = await fulfilment.getByRole('navigation').getByRole('link').allTextContents()
  expect(links).toContain('Stock')
  expect(links).not.toContain('Discounts')
  expect(links).not.toContain('Customers')
  expect(links).not.toContain('Reviews')
})

test('a support user reads stock without changing it', async () => {
  const support = await desk.open('/stock?tab=all', 'support')
  await support.getByRole('row').filter({ hasText: 'tweed-M' }).getByText('25').waitFor()
  expect(await support.getByLabel('Available of tweed-M').count()).toBe(0)
})

test('a merchant counts the stock and corrects a quantity by keyboard alone', async () => {
  const before = await stockOf('linen')
  await page.goto('/console/stock/stocktake')
  await tabTo(page.getByLabel('Counts'))
  await page.keyboard.type(`sku;quantity\nlinen-M;${before + 2}`)
  await tabTo(page.getByRole('button', { name: 'Compare' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: 'Save 1 difference' }))
  await page.keyboard.press('Enter')
  await page.getByText('The stock of 1 variant was corrected.').waitFor()
  expect(await stockOf('linen')).toBe(before + 2)

  await page.goto('/console/stock?tab=all')
  await tabTo(page.getByLabel('Available of linen-M'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('-1')
  await page.keyboard.press('Enter')
  await page.getByText(`linen-M: ${before + 1} available instead of ${before + 2}`).waitFor()
  expect(await stockOf('linen')).toBe(before + 1)
})

test('a stocktake finds a SKU that is a part of those of more than a hundred products', async () => {
  const part = (sku: string, inventory: number) => ({
    slug: `part-${sku}`,
    title: `Part ${sku}`,
    price: { amount: 100, currency: 'USD' },
    variants: [{ sku, inventory }],
  })
  const others = Array.from({ length: 101 }, (_, index) => part(`404-${index}`, 1))
  // The list begins with the newest.
  const products = [{ ...part('404', 50), createdAt: '2020-01-01T00:00:00Z' }, ...others]
  expect((await desk.shop.admin.post('/admin/import', { mode: 'merge', products })).status).toBe(200)
  await page.goto('/console/stock/stocktake')
  await page.getByLabel('Counts').fill('sku;quantity\n404;49')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('1 count differs from the shop.').waitFor()
})

test('the browser reports no fault', () => {
  expect(desk.faults).toEqual([])
})
