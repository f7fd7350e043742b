import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openConsole, type TestConsole } from '../support/console.ts'
import { waitForPayment } from '../support/paid-order.ts'

let merchants: TestConsole
/** The window of an owner in German, used by all tests in their order. */
let page: Page

beforeAll(async () => {
  merchants = await openConsole()
  page = await merchants.openSignedOut('/orders')
  await page.evaluate(`localStorage.setItem('console-language', 'de')`)
  await page.reload()
})
afterAll(() => merchants.stopWithoutFault())

async function signIn(password: string): Promise<void> {
  await page.getByLabel('E-Mail').fill(merchants.shop.shop.adminEmail)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}

test('an error is a sentence in the language of the console', async () => {
  await signIn('not my password')
  await page.getByRole('alert').getByText('E-Mail-Adresse, Passwort oder Code ist nicht richtig.').waitFor()
  expect(await page.getByText('Incorrect').count()).toBe(0)
  await signIn(merchants.shop.shop.adminPassword)
  await page.getByRole('heading', { level: 1, name: 'Bestellungen' }).waitFor()
  await page.goto('/console/customers/cus_none')
  await page.getByRole('alert').getByText('Das gibt es nicht oder nicht mehr.').waitFor()
})

test('what is wrong with a field is a sentence in the language of the console', async () => {
  await page.goto('/console/settings/webhooks')
  await page.getByRole('button', { name: 'Endpunkt hinzufügen' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Hinzufügen' })
  await dialog.getByLabel('Adresse').fill('ftp://shop.example/hooks')
  await add.click()
  await dialog.getByText('Bitte geben Sie eine ganze Adresse ein').waitFor()
  await dialog.getByLabel('Adresse').fill('https://person:secret@shop.example/hooks')
  await add.click()
  await dialog.getByText('Dieser Wert ist hier nicht möglich.').waitFor()
  expect(await dialog.getByText('must').count()).toBe(0)
  await expectAccessible(page)
})

test('what the console itself finds wrong with a field is a sentence in its language too', async () => {
  const editor = await page.context().newPage()
  await editor.goto('/console/products/new')
  await editor.getByLabel('Titel', { exact: true }).fill('Hemd')
  await editor.getByLabel('Preis', { exact: true }).fill('10')
  await editor.getByRole('heading', { name: 'Adresse und Suchmaschinen' }).getByRole('button').click()
  await editor.getByLabel('Slug', { exact: true }).fill('Groß und Klein')
  await editor.keyboard.press('Control+s')
  await editor.getByText('Möglich sind nur Kleinbuchstaben').first().waitFor()
  expect(await editor.getByText('must').count()).toBe(0)
  await editor.close()
})

test('the activity is in the language of the console', async () => {
  const { shop } = merchants
  const product = await shop.stockProduct('taten', 5)
  await shop.admin.post('/admin/discounts', { code: 'TATEN', kind: 'shipping' })
  const order = await shop.client().buy(product.variants[0]?.id ?? '')
  await waitForPayment(shop.admin, `/admin/orders/${order.id}`)
  expect((await shop.admin.call('PATCH', `/admin/orders/${order.id}`, { status: 'fulfilled' })).status).toBe(200)
  await page.goto('/console/activity')
  const list = page.getByRole('region', { name: 'Aktivität' })
  await list.getByText('Der Rabatt „TATEN“ wurde angelegt.').first().waitFor()
  await list.getByText(`${order.number}: Die Bestellung wurde versandt.`).first().waitFor()
  await list
    .getByText(/Die Anmeldung von „.+“ ist gelungen\./)
    .first()
    .waitFor()
  await list
    .getByText(/Die Anmeldung von „.+“ wurde abgelehnt: das Passwort war falsch\./)
    .first()
    .waitFor()
  expect(await list.locator('[lang=en]').allTextContents()).toEqual([])
  await expectAccessible(page)
})

test('a percentage is written with the comma of the language', async () => {
  await page.goto('/console/storefront')
  await page.getByRole('heading', { name: 'Steuer', exact: true }).getByRole('button').click()
  const rate = page.getByLabel('Üblicher Satz', { exact: true })
  await rate.fill('7,7')
  await rate.blur()
  expect(await rate.inputValue()).toBe('7,7 %')
  await page.getByRole('button', { name: 'Verwerfen', exact: true }).click()
})

test('an error whose code says too little comes with the message of the API', async () => {
  await page.goto('/console/settings/staff')
  await page.getByRole('row').filter({ hasText: merchants.shop.shop.adminEmail }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Name und Rolle ändern' }).click()
  await page.getByRole('radio', { name: 'Versand' }).click()
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByLabel('Ihr Passwort').fill(merchants.shop.shop.adminPassword)
  await page.getByRole('button', { name: 'Bestätigen' }).click()
  const alert = page.getByRole('dialog').getByRole('alert')
  await alert.getByText('Das geht im Moment nicht. Der Shop meldet: This is the last owner').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})

test('a person who chooses another language reads the open screen in it, and the next one', async () => {
  await page.getByRole('button', { name: 'Ihr Konto' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Add user' }).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Stock' }).click()
  await page.getByRole('tab', { name: 'All' }).waitFor()
  await page.goto('/console/customers/cus_none')
  await page.getByRole('alert').getByText('This customer does not exist.').waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('en')
})
