import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { openConsole, signIn, type TestConsole } from '../support/console.ts'

const COLLEAGUE = { email: 'colleague@shop.example', password: 'a password of a colleague' }
/** What a browser reports to a page that a person comes back to. */
const SHOWN_AGAIN = `dispatchEvent(new Event('visibilitychange'))`

let merchants: TestConsole

beforeAll(async () => {
  merchants = await openConsole()
  const currentPassword = merchants.shop.shop.adminPassword
  const body = { ...COLLEAGUE, name: 'Colleague', role: 'support', currentPassword }
  expect((await merchants.shop.admin.post('/admin/users', body)).status).toBe(200)
})
afterEach(() => merchants.closeWindows())
afterAll(() => merchants.stopWithoutFault())

/** Two windows of one browser, in which the owner is signed in and types the name of a category in the first. */
async function typeCategory(name: string): Promise<{ first: Page; second: Page }> {
  const first = await merchants.open('/categories')
  await first.getByRole('button', { name: 'New category' }).first().click()
  await first.getByLabel('Name').fill(name)
  const second = await first.context().newPage()
  await second.goto('/console')
  await second.getByRole('navigation', { name: 'Menu' }).waitFor()
  return { first, second }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
}

async function createCategory(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create category' }).click()
  await page.getByText(`${name} was created`).waitFor()
}

async function expectOnlyColleague(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText(COLLEAGUE.email).waitFor()
  expect(await page.getByLabel('Name').count()).toBe(0)
  expect(await page.content()).not.toContain('Secret')
}

test('a person who signs in after another in a second window finds nothing of the other in the first', async () => {
  const { first, second } = await typeCategory('Secret')
  await signOut(second)
  await first.getByText('You have been signed out.').waitFor()
  const reloaded = first.waitForEvent('load')
  await signIn(second, COLLEAGUE.email, COLLEAGUE.password)
  await reloaded
  await expectOnlyColleague(first)
})

test('a window that did not notice the sign-in of another person leaves nothing when it is shown again', async () => {
  const { first, second } = await typeCategory('Secret')
  const headers = { 'content-type': 'application/json', 'x-console': '1' }
  const request = JSON.stringify({ method: 'POST', headers, body: JSON.stringify(COLLEAGUE) })
  expect(await second.evaluate(`fetch('/admin/console/session', ${request}).then((one) => one.status)`)).toBe(200)
  const reloaded = first.waitForEvent('load')
  await first.evaluate(SHOWN_AGAIN)
  await reloaded
  await expectOnlyColleague(first)
})

test('what was typed stays when the same person signs in again in a second window', async () => {
  const { first, second } = await typeCategory('Kept')
  await signOut(second)
  await first.getByText('You have been signed out.').waitFor()
  const { adminEmail, adminPassword } = merchants.shop.shop
  await signIn(second, adminEmail, adminPassword)
  await first.getByText('You have been signed out.').waitFor({ state: 'detached' })
  await createCategory(first, 'Kept')
  expect((await merchants.shop.admin.get('/admin/categories')).body).toMatchObject({ items: [{ slug: 'kept' }] })
})

test('a window stays signed in when the session cannot be read at the moment it is shown again', async () => {
  const { first } = await typeCategory('Kept too')
  let attempts = 0
  // The console makes three attempts: the first reading gets only 503, the second no response.
  await first.route('**/admin/auth/me', (route) => {
    attempts += 1
    return attempts <= 3 ? route.fulfill({ status: 503 }) : route.abort()
  })
  await waitFor('a third reading', async () => {
    await first.evaluate(SHOWN_AGAIN)
    return attempts > 6
  })
  await first.unroute('**/admin/auth/me')
  expect(await first.getByText('You have been signed out.').count()).toBe(0)
  await createCategory(first, 'Kept too')
})
