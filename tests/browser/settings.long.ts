import { createServer } from 'node:http'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listen } from '@storefront/tools/listen'
import { expectAccessible, openConsole, signIn, type TestConsole } from '../support/console.ts'

const PASSWORD = 'a password for tests of the console'

let merchants: TestConsole
let receiver: { close: () => Promise<void>; url: string; received: string[] }

beforeAll(async () => {
  ;[merchants, receiver] = await Promise.all([openConsole(), openReceiver()])
})
afterAll(async () => {
  await receiver.close()
  await merchants.stopWithoutFault()
})

const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings' }).getByRole('link')

describe('users', () => {
  test('an owner adds a colleague, who signs in and sees what the role allows', async () => {
    const page = await merchants.open('/settings/staff')
    await page.getByRole('button', { name: 'Add user' }).click()
    const form = page.getByRole('dialog', { name: 'Add user' })
    await form.getByLabel('Name').fill('Grace Hopper')
    await form.getByLabel('Email').fill('grace@shop.example')
    await form.getByRole('radio', { name: 'Fulfillment' }).check()
    await form.getByLabel('Password', { exact: true }).fill('a password for Grace')
    await form.getByRole('button', { name: 'Add', exact: true }).click()

    // A wrong password keeps the session open, and what was entered.
    await confirmWith(page, 'not my password')
    await page.getByRole('alert').getByText('Incorrect password.').waitFor()
    await confirmWith(page, merchants.shop.shop.adminPassword)
    await page.getByText('Grace Hopper can sign in now').waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('row', { name: /Grace Hopper.*Fulfillment/ }).waitFor()

    const colleague = await merchants.openSignedOut('/settings')
    await signIn(colleague, 'grace@shop.example', 'a password for Grace')
    await colleague.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(await sections(colleague).allInnerTexts()).toEqual(['Your account', 'Emails', 'Health'])
    expect(await userNamed('Grace Hopper')).toMatchObject({ role: 'fulfilment', disabled: false })
  })

  test('an owner disables a user and enables the user again, with the password only where it is required', async () => {
    const body = { email: 'bob@shop.example', name: 'Bob', role: 'support', password: PASSWORD }
    const { adminPassword } = merchants.shop.shop
    await merchants.shop.admin.post('/admin/users', { ...body, currentPassword: adminPassword })
    const page = await merchants.open('/settings/staff')
    await choose(page, 'Actions for Bob', 'Disable')
    await page.getByRole('dialog', { name: 'Disable Bob' }).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Bob can no longer sign in.').waitFor()
    expect(await userNamed('Bob')).toMatchObject({ disabled: true })

    await choose(page, 'Actions for Bob', 'Enable')
    await page.getByRole('dialog', { name: 'Enable Bob' }).getByRole('button', { name: 'Enable' }).click()
    await confirmWith(page, adminPassword)
    await page.getByText('Bob can sign in again.').waitFor()
    expect(await userNamed('Bob')).toMatchObject({ disabled: false })
  })

  test('a merchandiser sees neither users nor keys, not even at their addresses', async () => {
    const page = await merchants.open('/settings/keys', 'merchandiser')
    await page.getByText('Your role does not allow this').waitFor()
    expect(await sections(page).allInnerTexts()).toEqual(['Your account'])
    expect(await page.getByRole('table').count()).toBe(0)
  })
})

test('a person sets up a second factor and signs in with it, by keyboard alone', async () => {
  const page = await merchants.open('/settings', 'support')
  const email = (
    await page
      .getByText(/^support-\d+@shop\.example$/)
      .first()
      .innerText()
  ).trim()
  await page.getByRole('button', { name: 'Set up second factor' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Your password', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const secret = await page.getByLabel('Or type this into the app').inputValue()
  const app = new TOTP({ secret })
  await page.getByLabel('Six digits from the app').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(app.generate())
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor()
  expect(await page.locator('pre').innerText()).toMatch(/^(?:[0-9A-Z-]{29}\s*){10}$/)
  await page.getByRole('button', { name: 'I have stored it' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Switch off' }).waitFor()

  const elsewhere = await merchants.openSignedOut('/settings')
  await signIn(elsewhere, email, PASSWORD)
  await elsewhere.getByLabel('Code').waitFor()
  // The code of this half minute is used up.
  await elsewhere.keyboard.type(app.generate({ timestamp: Date.now() + 30_000 }))
  await elsewhere.keyboard.press('Enter')
  await elsewhere.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(await userNamed('The support')).toMatchObject({ email, secondFactor: true })
})

test('an owner makes a key that is shown once, and revokes it', async () => {
  const page = await merchants.open('/settings/keys')
  await page.getByRole('button', { name: 'New API key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Accounting')
  await form.getByRole('checkbox', { name: 'See orders' }).check()
  await form.getByRole('button', { name: 'Create the key' }).click()
  const secret = await page.getByLabel('API key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const program = merchants.shop.client()
  program.token = secret
  expect((await program.get('/admin/orders')).status).toBe(200)

  await page.getByRole('button', { name: 'Revoke Accounting' }).click()
  await page.getByLabel('Type Accounting to confirm').fill('Accounting')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The key “Accounting” was revoked.').waitFor()
  expect((await program.get('/admin/orders')).status).toBe(401)
})

test('a merchant adds a webhook endpoint, sends a test and sees its delivery', async () => {
  const page = await merchants.open('/settings/webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await choose(page, `Actions for ${receiver.url}`, 'Send a test')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('It arrived').waitFor()
  expect(receiver.received).toEqual([expect.stringContaining('"type":"webhook.test"')])
  await page.getByRole('link', { name: 'Show the delivery' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('"type": "webhook.test"').waitFor()
  await drawer.getByText('thank you').waitFor()
  expect(await drawer.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /Select Test/ })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Send again', exact: true }).click()
  await page.getByText('1 delivery was not sent again: ').waitFor()
  expect(receiver.received.filter((text) => text.includes('"type":"webhook.test"'))).toHaveLength(1)
  // Some date fields accept a year of five digits.
  await page.goto(new URL('deliveries?from=20266-01-01', page.url()).href)
  await row.waitFor()
  expect(await page.getByText('This could not be loaded').count()).toBe(0)
})

test('a merchant looks at a mail as customers get it, and sends a test', async () => {
  const page = await merchants.open('/settings/mails/templates')
  await page.setViewportSize({ width: 1600, height: 900 })
  const mail = page.frameLocator('iframe')
  await mail.getByRole('heading', { level: 1 }).waitFor()
  // Its styles are in attributes, which the policy of the console forbids.
  expect((await mail.locator('.page').boundingBox())?.width).toBe(600)
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByRole('dialog').getByLabel('Recipient').fill('me@shop.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText('The mail server accepted the email to me@shop.example.').waitFor()
  await page.getByRole('link', { name: 'Log' }).click()
  await page.getByRole('row', { name: /Order confirmation.*Test.*me@shop\.example.*Sent/ }).waitFor()
})

test('a merchant compares orders and payments, and reads what a difference means', async () => {
  await merchants.shop.sql(
    `insert into orders.payments (provider, reference, status, amount_minor, currency, received_at)
     values ('stripe', 'pi_lost', 'captured', 4200, 'USD', now() - interval '1 hour')`,
  )
  const page = await merchants.open('/settings/health', 'fulfilment')
  await page.getByRole('button', { name: 'Compare now' }).click()
  await page.getByText('1 difference found').waitFor()
  const finding = page.getByRole('region', { name: 'Payment without an order' })
  await finding.getByText('Money arrived that belongs to no order.').waitFor()
  expect(await finding.getByRole('listitem').innerText()).toContain('stripe pi_lost')
})

test('a difference names a customer to a user who may not read customers, without a link', async () => {
  const item = { kind: 'addresses', subject: 'cus_7', message: 'The addresses differ.' }
  const page = await merchants.open('/settings', 'fulfilment')
  await page.route(/\/admin\/reconciliation$/, async (route) => {
    const response = await route.fetch()
    const report = z.looseObject({}).parse(await response.json())
    await route.fulfill({ response, json: { ...report, items: [item], total: 1 } })
  })
  await page.goto('/console/settings/health')
  await page.getByText('cus_7').waitFor()
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /customer/i })
      .count(),
  ).toBe(0)
})

describe('the settings', () => {
  test('are accessible in every section', async () => {
    const page = await merchants.open('/settings')
    for (const section of await sections(page).allInnerTexts()) {
      await open(page, section)
      await expectAccessible(page)
    }
  })

  test.each(['light', 'dark'] as const)('are accessible with a menu and a dialog in %s colors', async (colorScheme) => {
    const page = await merchants.open('/settings')
    await page.emulateMedia({ colorScheme })
    await open(page, 'Users')
    await page.getByRole('button', { name: 'Actions for' }).first().click()
    await page.getByRole('menuitem').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Change name and role' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Please fill in this field.').waitFor()
    await expectAccessible(page)
  })
})

async function open(page: Page, section: string): Promise<void> {
  await sections(page).filter({ hasText: section }).click()
  await page.getByRole('heading', { level: 1, name: section }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function confirmWith(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm with your password' })
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}

const Users = z.object({ items: z.array(z.looseObject({ name: z.string() })) })

async function userNamed(name: string): Promise<Record<string, unknown> | undefined> {
  const { items } = Users.parse((await merchants.shop.admin.get('/admin/users')).body)
  return items.findLast((user) => user.name === name)
}

async function openReceiver(): Promise<typeof receiver> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      response.end('thank you')
    })
  })
  const { url, close } = await listen(server)
  return { close, url: `${url}/webhooks`, received }
}
