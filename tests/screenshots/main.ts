import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildApp } from '@storefront/tools/build-app'
import { launch } from '@storefront/tools/launch'
import { packageCache, scriptEnvironment } from '@storefront/tools/testing'
import { startBrowser } from '../support/browser.ts'
import { fillShop } from './fill-shop.ts'
import { savePicture } from './save-picture.ts'
import { SHOTS } from './screens.ts'
import { takeStorefront } from './storefront.ts'

const FOLDER = resolve(import.meta.dirname, '../../docs/images/console')
const SIZE = { width: 1280, height: 800 }
const SETTLE_MS = 700

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** `npm run screenshots`: takes the pictures of the README and docs/merchant.md in a demo shop of its own. */
await buildApp('console', { print })
await buildApp('storefront', { print })
const dataDir = await mkdtemp(join(tmpdir(), 'storefront-screenshots-'))
const env = {
  ...scriptEnvironment(),
  SECRETS_KEY: 'a key for the secrets of the demo shop',
  RATE_LIMIT_CHECKOUT: '0',
}
const shop = await launch({ env, dataDir, cacheDir: packageCache(), seed: true, storefront: true, print })
const browser = await startBrowser()
try {
  const ids = await fillShop(shop)
  await mkdir(FOLDER, { recursive: true })
  const context = await browser.newContext({ locale: 'en-US', viewport: SIZE, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', (error) => print(`${page.url()}: ${error.message}`))
  await page.goto(`${shop.url}/console`)
  await page.getByLabel('Email').waitFor()
  await savePicture(page, join(FOLDER, 'sign-in.webp'))
  await page.getByLabel('Email').fill(shop.adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(shop.adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  for (const { name, path } of SHOTS) {
    const address = Object.entries(ids).reduce((text, [word, id]) => text.replace(word, id), path)
    await page.goto(`${shop.url}/console${address}`)
    await page.locator('main h1').waitFor()
    await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'hidden' })
    // Pictures and charts: no event says when they are complete.
    await page.waitForTimeout(SETTLE_MS)
    await savePicture(page, join(FOLDER, `${name}.webp`))
  }
  await takeStorefront(browser, shop.storefrontUrl)
} finally {
  await browser.close()
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
}
