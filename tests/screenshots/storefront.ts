import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { savePicture } from './save-picture.ts'

const FOLDER = resolve(import.meta.dirname, '../../docs/images/storefront')
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
const SETTLE_MS = 700

/** Takes the pictures of the README and of the storefront's page, as a shopper who buys a shirt sees them. */
export async function takeStorefront(browser: Browser, url: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const options = { locale: 'en-US', reducedMotion: 'reduce' } as const
  const desk = await (await browser.newContext({ ...options, viewport: DESK })).newPage()
  await take(desk, `${url}/`, 'home')
  await take(desk, `${url}/shop/women`, 'list')
  await take(desk, `${url}/product/harbour-stripe-shirt`, 'product')
  const phone = await (await browser.newContext({ ...options, viewport: PHONE, deviceScaleFactor: 2 })).newPage()
  await take(phone, `${url}/product/harbour-stripe-shirt`, 'product-phone')
  await phone.locator('label', { hasText: /^M$/ }).click()
  await phone.getByRole('button', { name: 'Add to bag' }).first().click()
  await phone.locator('#bag .bag').waitFor()
  await settle(phone)
  await savePicture(phone, join(FOLDER, 'bag-phone.webp'))
  await phone.goto(`${url}/checkout`)
  await phone.locator('#checkout-form').waitFor()
  await settle(phone)
  await savePicture(phone, join(FOLDER, 'checkout-phone.webp'))
}

async function take(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await settle(page)
  await savePicture(page, join(FOLDER, `${name}.webp`))
}

/** Waits for pictures and live parts: no event says when they are complete. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLE_MS)
}
