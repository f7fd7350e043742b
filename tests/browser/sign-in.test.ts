import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openConsole, type TestConsole } from '../support/console.ts'

let merchants: TestConsole

beforeAll(async () => {
  merchants = await openConsole()
})
afterEach(() => merchants.closeWindows())
afterAll(() => merchants.stopWithoutFault())

const owner = () => ({ email: merchants.shop.shop.adminEmail, password: merchants.shop.shop.adminPassword })

test('a merchant who signs in gets to the page whose link they followed, with a session that no script can read', async () => {
  const page = await merchants.open('/settings?tab=own')
  expect(new URL(page.url()).pathname).toBe('/console/settings')
  expect(new URL(page.url()).search).toBe('?tab=own')
  expect(await page.evaluate('document.cookie')).toBe('')
  const [cookie] = await page.context().cookies(`${merchants.shop.shop.url}/admin`)
  expect(cookie).toMatchObject({ name: 'console_session', httpOnly: true, sameSite: 'Strict', path: '/admin' })
  await page.reload()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
})

test('the first load, up to the home screen with its chart, takes less than 250 kB of compressed script', async () => {
  const page = await merchants.openSignedOut('/')
  // The page is loaded once before its scripts are counted.
  await page.getByLabel('Email').waitFor()
  // With `saveData` the console loads no screen ahead, which would be counted on a slow machine.
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`)
  const bytes: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) bytes.push(Number(response.headers()['content-length']))
  })
  await page.reload()
  const { email, password } = owner()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  // The mouse is not used: a link may appear below it, whose screen would then be loaded.
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Revenue' }).waitFor()
  const sum = bytes.reduce((total, each) => total + each, 0)
  expect(sum).toBeGreaterThan(100_000)
  expect(sum).toBeLessThan(250_000)
})
