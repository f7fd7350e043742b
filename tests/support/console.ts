import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { AdminRole } from '@storefront/contracts'
import { buildApp } from '@storefront/tools/build-app'
import { seriousViolations, startBrowser, watchFaults } from './browser.ts'
import { openShop, type TestShop } from './shop.ts'

const PASSWORD = 'a password for tests of the console'
/** More than any screen needs from one control to another. */
const MAX_TABS = 80

export interface TestConsole {
  shop: TestShop
  /** A browser window that is signed in, as the first owner or as a new user with this role. Its `goto` takes paths. */
  open: (path?: string, role?: AdminRole, device?: BrowserContextOptions) => Promise<Page>
  /** A browser window before the sign-in. */
  openSignedOut: (path?: string, device?: BrowserContextOptions) => Promise<Page>
  /** What browsers reported: errors of scripts, of the console, and of the Content-Security-Policy. */
  faults: string[]
  /** Closes all windows, which would keep reading what changes. */
  closeWindows: () => Promise<void>
  stop: () => Promise<void>
  /** Stops everything, and expects that browsers reported no fault until then. */
  stopWithoutFault: () => Promise<void>
}

/** Whether a request renews the session in the background, and is not what the person requested. */
export const isRenewal = (request: Request): boolean => request.url().endsWith('/admin/console/session/renew')

/** Starts the whole shop and a browser, for tests of what merchants do on the screens of the console. */
export async function openConsole(): Promise<TestConsole> {
  // Before the shop: the gateway reads the files when it starts.
  await buildApp('console', { print: () => {} })
  const [shop, browser] = await Promise.all([openShop(), startBrowser()])
  const faults: string[] = []
  const stop = async (): Promise<void> => {
    await browser.close()
    await shop.stop()
  }
  const openSignedOut = (path = '/', device: BrowserContextOptions = {}) =>
    openWindow(browser, shop, { path, device, faults })
  return {
    shop,
    faults,
    openSignedOut,
    async open(path = '/', role, device) {
      const page = await openSignedOut(path, device)
      const email = role === undefined ? shop.shop.adminEmail : await addUser(shop, role)
      await signIn(page, email, role === undefined ? shop.shop.adminPassword : PASSWORD)
      await page.getByRole('navigation', { name: 'Menu' }).waitFor()
      return page
    },
    async closeWindows() {
      const before = faults.length
      await Promise.all(browser.contexts().map((context) => context.close()))
      // A window that closes while it loads a part of the console reports that it could not.
      const later = faults.splice(before).filter((fault) => !fault.includes('dynamically imported module'))
      faults.push(...later)
    },
    stop,
    async stopWithoutFault() {
      await stop()
      expect(faults).toEqual([])
    },
  }
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Expects no serious fault with a screen reader, the keyboard or strong contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, new AxeBuilder({ page }))
}

/** The same in light colors, and in dark ones the contrast, which is all that differs. */
export async function expectAccessibleInAllColors(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await expectNoViolation(page, new AxeBuilder({ page }).withRules(['color-contrast']))
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A color in the middle of a transition would be measured. */
const TRANSITIONS_ENDED = `Promise.allSettled(
  document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : [])),
).then(() => {})`

async function expectNoViolation(page: Page, axe: AxeBuilder): Promise<void> {
  await page.evaluate(TRANSITIONS_ENDED)
  expect(await seriousViolations(axe)).toEqual([])
}

/** Presses Tab until this has the focus, as a person does who has only a keyboard. */
export async function tabTo(wanted: Locator): Promise<void> {
  await wanted.waitFor()
  const page = wanted.page()
  for (let pressed = 0; pressed < MAX_TABS; pressed++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(wanted)}`)
}

/** What a spreadsheet does to the field that has the focus. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)
}

/** Undoes what a notice reports. */
export async function undo(page: Page, notice: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click()
}

interface Window {
  path: string
  /** Options that differ from those of a desktop browser. */
  device: BrowserContextOptions
  faults: string[]
}

async function openWindow(browser: Browser, shop: TestShop, { path, device, faults }: Window): Promise<Page> {
  const context = await browser.newContext({
    baseURL: shop.shop.url,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...device,
  })
  const page = await context.newPage()
  // A browser reports each response with an error status; the screens show those of the shop.
  watchFaults(page, faults, /^Failed to load resource/)
  await page.goto(`/console${path === '/' ? '' : path}`)
  return page
}

let added = 0

async function addUser(shop: TestShop, role: AdminRole): Promise<string> {
  added += 1
  const email = `${role}-${added}@shop.example`
  const body = { email, name: `The ${role}`, role, password: PASSWORD, currentPassword: shop.shop.adminPassword }
  expect((await shop.admin.post('/admin/users', body)).status).toBe(200)
  return email
}
