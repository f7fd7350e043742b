import type { Page } from 'playwright-core'
import { buildApp } from '@storefront/tools/build-app'
import type { RunningShop } from '@storefront/tools/launch'
import { startBrowser } from '@storefront/tests/browser'
import { ageShop } from './age-shop.ts'
import { generateCatalog } from './generated-catalog.ts'
import { loadCatalog } from './load-catalog.ts'
import { describeMachine } from './machine.ts'
import { signInMerchant } from './merchant.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import { markdownTable } from './table.ts'

const CUSTOMERS_PER_ORDER = 0.3
/** The screens of the navigation, by their addresses; some have a link only while the screen above them is open. */
const SCREENS = [
  ...[
    'orders',
    'products',
    'stock',
    'discounts',
    'customers',
    'reviews',
    'storefront',
    'import',
    'activity',
    'settings',
  ].map((path) => ({ path, from: '' })),
  ...['categories', 'collections', 'media', 'size-charts', 'library'].map((path) => ({ path, from: 'products' })),
]
const TARGET_FIRST_MS = 1500
const TARGET_OTHERS_MS = 300
const READ_MS = 2000

interface ConsoleBench {
  products: number
  orders: number
  rounds: number
}

/** Fills a shop and measures in a browser how long the screens of the console take until they can be used. */
export async function benchConsole({ products, orders, rounds }: ConsoleBench): Promise<void> {
  await buildApp('console', { print: () => {} })
  const folder = await makeDataFolder()
  const { shop, close } = await openShop({ dataDir: folder.path, edgeCache: true })
  try {
    await fill(shop, products, orders)
    const measured: Measured[][] = []
    for (let round = 0; round < Math.max(1, rounds); round++) measured.push(await measureScreens(shop))
    console.log(describeMachine())
    console.log(`${products.toLocaleString('en-US')} products, ${orders.toLocaleString('en-US')} orders\n`)
    console.log(table(measured))
  } finally {
    await close()
    await folder.remove()
  }
}

async function fill(shop: RunningShop, products: number, orders: number): Promise<void> {
  const catalog = generateCatalog({ seed: 'bench', count: products, now: new Date() })
  const merchant = await signInMerchant(shop)
  await loadCatalog(merchant, catalog)
  await ageShop(shop, { orders, customers: Math.round(orders * CUSTOMERS_PER_ORDER) })
}

interface Measured {
  screen: string
  targetMs: number
  ms: number
}

/** A new browser, in which nothing is stored, opens every screen twice. */
async function measureScreens(shop: RunningShop): Promise<Measured[]> {
  const browser = await startBrowser()
  const measured: Measured[] = []
  const time = async (screen: string, targetMs: number, work: () => Promise<unknown>) => {
    const begunMs = performance.now()
    await work()
    measured.push({ screen, targetMs, ms: performance.now() - begunMs })
  }
  try {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
    await time('sign-in form', TARGET_FIRST_MS, async () => {
      await page.goto(`${shop.url}/console/`)
      await page.getByLabel('Email').waitFor()
    })
    await page.getByLabel('Email').fill(shop.adminEmail)
    await page.getByLabel('Password', { exact: true }).fill(shop.adminPassword)
    await time('home, after the sign-in', TARGET_FIRST_MS, async () => {
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation', { name: 'Menu' }).waitFor()
      await usable(page)
    })
    // A person reads the home screen, and what is likely to be opened next is loaded meanwhile.
    await page.waitForTimeout(READ_MS)
    for (const visit of ['first', 'again']) {
      for (const { path, from } of SCREENS) {
        if (!new URL(page.url()).pathname.endsWith(`/console/${from}`)) await follow(page, from)
        await time(`${path}, ${visit}`, TARGET_OTHERS_MS, () => follow(page, path))
      }
    }
  } finally {
    await browser.close()
  }
  return measured
}

/** Opens a screen by its link in the navigation, and waits until it can be used. */
async function follow(page: Page, path: string): Promise<void> {
  // The last screen stays until the next one can be shown.
  const before = await page.locator('main h1').innerText()
  await page.locator(`nav a[href$="/console/${path}"]`).first().click()
  await page.waitForURL(({ pathname }) => pathname.startsWith(`/console/${path}`))
  await page.locator('main h1').filter({ hasNotText: before }).waitFor()
  await usable(page)
}

/** The title is there, and no placeholder of what is still loading. */
async function usable(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'hidden' })
}

function table(rounds: readonly Measured[][]): string {
  const [first = []] = rounds
  const rows = first.map(({ screen, targetMs }, index) => {
    const times = rounds.map((round) => round[index]?.ms ?? NaN).toSorted((one, other) => one - other)
    const median = times[Math.floor(times.length / 2)] ?? NaN
    return [screen, median.toFixed(0), String(targetMs), median <= targetMs ? '' : 'over']
  })
  return markdownTable(['screen', 'ms', 'target ms', ''], rows)
}
