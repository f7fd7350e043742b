import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AdminRole } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import {
  expectAccessible,
  expectAccessibleInAllColors,
  isRenewal,
  openConsole,
  signIn,
  type TestConsole,
} from '../support/console.ts'

let merchants: TestConsole

beforeAll(async () => {
  merchants = await openConsole()
})
afterEach(() => merchants.closeWindows())
afterAll(() => merchants.stopWithoutFault())

test.each(AdminRole.options)('a %s sees the screens that the role may use, and no others', async (role) => {
  const page = await merchants.open('/', role)
  const shown = await page.getByRole('navigation', { name: 'Menu' }).getByRole('link').allInnerTexts()
  const { permissions } = z
    .object({ permissions: z.array(z.string()) })
    .parse(await page.evaluate(`fetch('/admin/auth/me', { headers: { 'x-console': '1' } }).then((one) => one.json())`))
  const may = (permission: string) => permissions.includes(permission)
  expect(shown).toEqual([
    'Home',
    ...(may('orders:read') ? ['Orders'] : []),
    'Products',
    'Stock',
    ...(may('discounts:write') ? ['Discounts'] : []),
    ...(may('customers:read') ? ['Customers'] : []),
    ...(may('reviews:write') ? ['Reviews'] : []),
    'Storefront',
    'Import and export',
    'Activity',
    'Settings',
  ])
})

test('the code of the orders is loaded while a person reads the home screen', async () => {
  const page = await merchants.openSignedOut('/')
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
  const { adminEmail, adminPassword } = merchants.shop.shop
  await signIn(page, adminEmail, adminPassword)
  // They are loaded one after the other, orders first.
  await waitFor('the screen of products', () => loaded.some((path) => path.includes('/products-screen-')))
  expect(loaded.some((path) => path.includes('/orders-screen-'))).toBe(true)
  const before = loaded.length
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'Orders' }).waitFor()
  const ofOrders = /\/(orders|order-)[\w-]*\.js$/
  expect(loaded.slice(before).filter((path) => ofOrders.test(path))).toEqual([])
})

test('a console that was just loaded renews its session for a person who uses it, and the sign-in renews none', async () => {
  const page = await merchants.openSignedOut()
  const renewals: number[] = []
  page.on('response', (response) => {
    if (isRenewal(response.request())) renewals.push(response.status())
  })
  const { adminEmail, adminPassword } = merchants.shop.shop
  await signIn(page, adminEmail, adminPassword)
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  for (const count of [1, 2]) {
    await page.reload()
    await page.getByRole('navigation', { name: 'Menu' }).waitFor()
    await page.keyboard.press('Shift')
    await page.keyboard.press('Shift')
    await waitFor('the renewal', () => renewals.length === count)
  }
  expect(renewals).toEqual([200, 200])
})

test('the home screen has its chart, and its table, in a browser that was started without a locale', async () => {
  const page = await merchants.openSignedOut()
  await page.getByLabel('Email').waitFor()
  await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`)
  await page.reload()
  expect(await page.evaluate(`navigator.language`)).toBe('en')
  const { adminEmail, adminPassword } = merchants.shop.shop
  await signIn(page, adminEmail, adminPassword)
  await page.getByRole('img', { name: 'Revenue' }).waitFor()
  const figures = page.getByRole('table', { name: 'Revenue' })
  expect(await figures.getByRole('columnheader').allTextContents()).toEqual(['Day', 'This period', 'Previous period'])
  expect(await figures.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual(['$0.00', '$0.00'])
})

test('the command palette finds a product and opens it, by keyboard alone', async () => {
  const product = await merchants.shop.stockProduct('palette-shirt', 3)
  const page = await merchants.open()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find an order').fill('palette')
  await page.getByRole('button', { name: 'palette-shirt' }).and(page.locator('[data-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/products/**`)
  expect(new URL(page.url()).pathname).toBe(`/console/products/${product.id}`)
})

test('a period that ends before it starts is reported', async () => {
  const page = await merchants.open('/?period=custom&from=2026-05-09&to=2026-05-01')
  await page.getByText('The end is before the start.').waitFor()
  expect(await page.getByText('This could not be loaded').count()).toBe(0)
  const from = page.getByLabel('From', { exact: true })
  await from.focus()
  await page.keyboard.type('04122026')
  await page.getByText('The end is before the start.').waitFor({ state: 'detached' })
  expect(await from.inputValue()).toBe('2026-04-12')
})

test('the console stays in the chosen language after a reload', async () => {
  const page = await merchants.open()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Start' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Bestellungen' }).waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('de')
})

test('sign-in and home are accessible in light and in dark colors', async () => {
  const page = await merchants.openSignedOut()
  await page.getByLabel('Email').waitFor()
  await expectAccessibleInAllColors(page)
  const { adminEmail, adminPassword } = merchants.shop.shop
  await signIn(page, adminEmail, adminPassword)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await expectAccessibleInAllColors(page)
})

test('the keyboard gets past the menu, and to a new screen', async () => {
  const page = await merchants.open()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to the content' }).and(page.locator(':focus')).waitFor()
  await expectAccessibleInAllColors(page)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.locator('main :focus').count()).toBe(1)
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('link', { name: 'Products' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Products' }).waitFor()
  await page.locator('main:focus').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.locator('main :focus').count()).toBe(1)
  // A field that takes the focus keeps it.
  await page.getByRole('link', { name: 'Discounts' }).click()
  await page.getByRole('link', { name: 'Create a discount' }).first().click()
  await page.getByLabel('Code', { exact: true }).and(page.locator(':focus')).waitFor()
})

test('a link in a sentence of the activity differs from its words by more than a color', async () => {
  const body = { title: 'Linked shirt', price: { amount: 5000, currency: 'USD' } }
  expect((await merchants.shop.admin.post('/admin/products', body)).status).toBe(200)
  const page = await merchants.open('/activity')
  await page.getByRole('link', { name: 'Open Linked shirt' }).waitFor()
  expect(await page.evaluate(`getComputedStyle(document.querySelector('main p a')).textDecorationLine`)).toBe(
    'underline',
  )
  await expectAccessibleInAllColors(page)
})

test('closing the account menu returns the focus to its button, the first time too, when the menu is loaded', async () => {
  const page = await merchants.open()
  await closeMenuByKeyboard(page)
  await closeMenuByKeyboard(page)
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Your account')
})

async function closeMenuByKeyboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Sign out', exact: true })
  await item.waitFor()
  // The menu takes the focus a moment after it is shown.
  await page.locator('[role="menu"] [data-autofocus]:focus').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await item.waitFor({ state: 'hidden' })
  await page.locator('button[aria-label="Your account"]:focus').waitFor()
}

describe('a session that ends while a category is typed', () => {
  /** With an open dialog, and a save that the shop has rejected. */
  async function endedWhileTyping(name: string): Promise<Page> {
    const page = await merchants.open('/categories')
    const renewed = page.waitForResponse((response) => isRenewal(response.request()))
    await page.getByRole('button', { name: 'New category' }).first().click()
    await page.getByLabel('Name').fill(name)
    await renewed
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create category' }).click()
    await page.getByText('You have been signed out.').waitFor()
    return page
  }

  async function slugs(): Promise<unknown> {
    return (await merchants.shop.admin.get('/admin/categories')).body
  }

  test('continues after the same person has signed in again, and shows nothing of the page before', async () => {
    const { adminEmail, adminPassword } = merchants.shop.shop
    const page = await endedWhileTyping('Kept')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    expect(await page.evaluate(`document.elementFromPoint(20, 120)?.closest('dialog') !== null`)).toBe(true)
    await signIn(page, adminEmail, adminPassword)
    await page.getByText('Kept was created').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await slugs()).toMatchObject({ items: [{ slug: 'kept' }] })
  })

  test('leaves nothing to another person', async () => {
    const colleague = await merchants.shop.admin.post('/admin/users', {
      email: 'colleague@shop.example',
      name: 'Colleague',
      role: 'support',
      password: 'a password of a colleague',
      currentPassword: merchants.shop.shop.adminPassword,
    })
    expect(colleague.status).toBe(200)
    const page = await endedWhileTyping('Secret')
    await signIn(page, 'colleague@shop.example', 'a password of a colleague')
    await page.getByText('You have been signed out.').waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Menu' }).waitFor()
    expect(await page.content()).not.toContain('Secret')
    expect(await slugs()).toMatchObject({ items: [{ slug: 'kept' }] })
  })

  test('leaves nothing when the person signs out in this window', async () => {
    const page = await merchants.open('/discounts/new')
    await page.getByLabel('Code', { exact: true }).fill('SECRET')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await page.getByLabel('Code').count()).toBe(0)
    expect(await page.locator('dialog').count()).toBe(0)
  })
})
