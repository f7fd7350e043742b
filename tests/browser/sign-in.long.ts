import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openConsole, signIn, type TestConsole } from '../support/console.ts'

let merchants: TestConsole

beforeAll(async () => {
  merchants = await openConsole()
})
afterEach(() => merchants.closeWindows())
afterAll(() => merchants.stopWithoutFault())

const owner = () => ({ email: merchants.shop.shop.adminEmail, password: merchants.shop.shop.adminPassword })

describe('a merchant who signs in', () => {
  test('reads why a password is not accepted, and tries again', async () => {
    const page = await merchants.openSignedOut()
    const { email, password } = owner()
    await signIn(page, email, 'not my password')
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor()
    await signIn(page, email, password)
    await expectHome(page)
  })

  test('is asked for the code of the second factor, and can use a recovery code, by keyboard alone', async () => {
    const page = await merchants.openSignedOut()
    const { email, password, recoveryCode } = await userWithSecondFactor()
    await page.getByLabel('Email').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Incorrect code.').waitFor()
    // A field that is emptied remains, with the focus in it.
    await page.keyboard.press('Backspace')
    await page.keyboard.type(recoveryCode)
    await page.keyboard.press('Enter')
    await expectHome(page)
  })

  test('signs out on all devices, and another window asks to sign in again where it was', async () => {
    const [here, there] = [await merchants.open('/', 'merchandiser'), await merchants.openSignedOut('/settings')]
    const person = z
      .object({ user: z.object({ email: z.string() }) })
      .parse(
        await here.evaluate(`fetch('/admin/auth/me', { headers: { 'x-console': '1' } }).then((one) => one.json())`),
      )
    await signIn(there, person.user.email, 'a password for tests of the console')
    await there.getByRole('navigation', { name: 'Menu' }).waitFor()
    await here.getByRole('button', { name: 'Your account' }).click()
    await here.getByRole('menuitem', { name: 'Sign out on all devices' }).click()
    await here.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await there.getByText('You have been signed out.').waitFor()
    expect(new URL(there.url()).pathname).toBe('/console/settings')
  })
})

async function expectHome(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console')
}

const Factor = z.object({ secret: z.string() })
const Codes = z.object({ recoveryCodes: z.array(z.string()).min(1) })
const User = z.object({ email: z.string() })

async function userWithSecondFactor(): Promise<{ email: string; password: string; recoveryCode: string }> {
  const password = 'a password with a second factor'
  const { shop } = merchants
  const email = 'factor@shop.example'
  const body = { email, name: 'Careful', role: 'support', password, currentPassword: owner().password }
  User.parse((await shop.admin.post('/admin/users', body)).body)
  const person = shop.client()
  await person.signInAsAdmin(email, password)
  const { secret } = Factor.parse((await person.post('/admin/auth/totp', { password })).body)
  const code = new TOTP({ secret }).generate()
  const { recoveryCodes } = Codes.parse((await person.post('/admin/auth/totp/confirm', { code })).body)
  return { email, password, recoveryCode: recoveryCodes[0] ?? '' }
}
