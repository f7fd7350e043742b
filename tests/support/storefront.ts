import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { buildApp } from '@storefront/tools/build-app'
import { seriousViolations, startBrowser, watchFaults } from './browser.ts'
import { unstyledClasses } from './storefront-styles.ts'
import { openShop, openShopOfProcesses, type TestShop } from './shop.ts'

/** Viewports and input of the devices that shoppers hold. */
export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
export const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
export const WITHOUT_SCRIPT: BrowserContextOptions = { javaScriptEnabled: false }

export interface TestStorefront {
  shop: TestShop
  /** The address of the storefront. */
  url: string
  /** A new browser at this path, without cookies or stored data of the shop. */
  open: (path?: string, device?: BrowserContextOptions) => Promise<Page>
  /** What browsers reported: errors of scripts, and of the Content-Security-Policy. */
  faults: string[]
  closeWindows: () => Promise<void>
  stop: () => Promise<void>
  /** Stops everything, and expects that browsers reported no fault until then. */
  stopWithoutFault: () => Promise<void>
}

interface StorefrontOptions {
  env?: Record<string, string>
  /** Whether each service has a process of its own, which a test can kill. */
  processes?: boolean
}

/** Starts the demo shop, its storefront and a browser, for tests of what shoppers do. */
export async function openStorefront({ env, processes = false }: StorefrontOptions = {}): Promise<TestStorefront> {
  await buildApp('storefront', { print: () => {} })
  const options = { storefront: true, seed: true, ...(env && { env }) }
  const [shop, browser] = await Promise.all([
    processes ? openShopOfProcesses({ ...options, ownServers: true }) : openShop(options),
    startBrowser(),
  ])
  const url = shop.shop.storefrontUrl
  const faults: string[] = []
  const stop = async (): Promise<void> => {
    await browser.close()
    await shop.stop()
  }
  return {
    shop,
    url,
    faults,
    async open(path = '/', device = DESK) {
      const context = await browser.newContext({ locale: 'en-US', ...device })
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      // A response with an error status, and one that is lost, are what some tests are about.
      watchFaults(page, faults, /^(?:Failed to load resource|htmx: htmx:error: (?:Failed to fetch|timeout))/)
      await page.goto(`${url}${path}`)
      if (device.javaScriptEnabled !== false) await page.locator('html.is-ready').waitFor()
      return page
    },
    async closeWindows() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    stop,
    async stopWithoutFault() {
      await stop()
      expect(faults).toEqual([])
    },
  }
}

/** Expects no serious fault with a screen reader, the keyboard or strong contrast, in light and dark colors. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(unstyledClasses(await page.content()), 'classes without their styles').toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await seriousViolations(new AxeBuilder({ page })), colorScheme).toEqual([])
  }
}
