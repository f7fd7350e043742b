import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DESK, expectAccessible, openStorefront, PHONE, type TestStorefront } from '../support/storefront.ts'

const PAGES = [
  '/',
  '/shop',
  '/search?q=wool',
  '/product/harbour-stripe-shirt',
  '/pages/shipping',
  '/pages/size-guide',
  '/pages/care',
  '/cart',
  '/orders/lookup',
  '/wishlist',
  '/account',
  '/account/register',
  '/auth/password/reset',
  '/no-such-page',
]

let storefront: TestStorefront

beforeAll(async () => {
  storefront = await openStorefront()
})
afterEach(() => storefront.closeWindows())
afterAll(() => storefront.stopWithoutFault())

/** The merchant chooses the language of the shop, and its pages have it. */
async function chooseLanguage(locale: string): Promise<void> {
  const saved = await storefront.shop.admin.call('PATCH', '/admin/storefront', { pricing: { locale } })
  expect(saved.status).toBe(200)
  const page = await storefront.open('/')
  await expect
    .poll(async () => {
      await page.reload()
      return page.locator('html').getAttribute('lang')
    })
    .toBe(locale)
}

const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

test.each([
  ['de-DE', 'ltr', 'Ihr Warenkorb ist leer', 'Anmelden', 'E-Mail-Adresse oder Passwort ist nicht richtig.'],
  ['ar-EG', 'rtl', 'حقيبتك فارغة', 'تسجيل الدخول', 'البريد الإلكتروني أو كلمة المرور غير صحيحة.'],
] as const)('a shopper reads the shop in %s, which is written %s', async (locale, direction, empty, signIn, wrong) => {
  await chooseLanguage(locale)
  for (const device of [PHONE, DESK]) {
    const page = await storefront.open('/', device)
    for (const path of PAGES) {
      await page.goto(`${storefront.url}${path}`)
      await page.locator('.loading').waitFor({ state: 'detached' })
      expect(await page.locator('html').getAttribute('dir')).toBe(direction)
      expect(await isTooWide(page), path).toBe(false)
      if (device === PHONE) await expectAccessible(page)
    }
  }
  const page = await storefront.open('/cart', PHONE)
  await page.getByText(empty).first().waitFor()
  await page.goto(`${storefront.url}/account`)
  const field = (name: string) => page.locator(`#sign-in-${name}`)
  await field('email').fill('ada@example.com')
  await field('password').fill('not the password')
  await page.getByRole('button', { name: signIn }).click()
  await page.getByText(wrong).waitFor()
})

test('numbers within sentences have the digits of the language', async () => {
  await chooseLanguage('ar-EG')
  const page = await storefront.open('/')
  const counts = await page.locator('.tile .hint').allTextContents()
  expect(counts.filter((text) => /\d/.test(text))).toEqual([])
  expect(counts.some((text) => /[٠-٩]+ قطع/.test(text))).toBe(true)
  await page.getByRole('combobox').pressSequentially('wool')
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('search').getByRole('status').textContent()).toMatch(/^[٠-٩]+ اقتراح/)
})

test('a review that the shop rejects says so at the field in the language of the shop', async () => {
  await chooseLanguage('de-DE')
  const customer = storefront.shop.client()
  await customer.register('reviewer@example.com')
  const response = await fetch(`${storefront.url}/product/harbour-stripe-shirt/review`, {
    method: 'POST',
    headers: { 'hx-request': 'true', authorization: `Bearer ${customer.token}` },
    body: new URLSearchParams({ author: 'Ada', rating: '5', height: 'x'.repeat(60) }),
  })
  expect(await response.text()).toMatch(/id="review-height-problem"[^>]*>Bitte prüfen Sie Ihre Angaben\./)
})
