import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '@storefront/tools/build-app'
import { openGround } from './ground.ts'
import { loadNextPaths, loadPaths } from './http-load.ts'
import { describeMachine } from './machine.ts'
import { keepBusy, measureDuring, type Measurement } from './measure.ts'
import { runRounds, type Rounds } from './rounds.ts'
import type { Ground } from './scenarios.ts'
import { Shopper } from './shopper.ts'
import { markdownTable } from './table.ts'

const CONNECTIONS = 16
/** Buyers who check out one after the other: about what two processors sell beside the load. */
const BUYERS = 4
/** 72,000 an hour. */
const ORDERS_PER_SECOND = 20
const BROWSER = { 'accept-encoding': 'br' }
const PRODUCT_PAGES = 20

interface Scenario {
  name: string
  targetRate: number
  run: (ground: Ground, seconds: number) => Promise<Measurement>
}

let filter = 0

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'cached pages: home, lists, products',
    targetRate: 1000,
    run: (ground, seconds) => loadPages(ground, cachedPages(ground), seconds),
  },
  {
    name: `the same while the shop sells ${ORDERS_PER_SECOND} orders a second`,
    targetRate: 1000,
    run: (ground, seconds) => loadPagesOfBusyShop(ground, seconds, (BUYERS / ORDERS_PER_SECOND) * 1000),
  },
  {
    name: 'the same while it sells as fast as it can',
    targetRate: 1000,
    run: (ground, seconds) => loadPagesOfBusyShop(ground, seconds, 0),
  },
  {
    // Each has an address that was never rendered before.
    name: 'rendered pages: lists of 24 products',
    targetRate: 100,
    run: ({ shop }, seconds) =>
      loadNextPaths(shop.storefrontUrl, () => `/shop?min_price=${++filter}`, {
        connections: CONNECTIONS,
        seconds,
        headers: BROWSER,
      }),
  },
]

const cachedPages = ({ slugs }: Ground): string[] => [
  '/',
  '/shop',
  '/shop/women',
  ...slugs.slice(0, PRODUCT_PAGES).map((slug) => `/product/${slug}`),
]

function loadPages({ shop }: Ground, paths: readonly string[], seconds: number): Promise<Measurement> {
  return loadPaths(shop.storefrontUrl, paths, { connections: CONNECTIONS, seconds, headers: BROWSER })
}

/** @param everyMs how often each buyer checks out, unless the shop takes longer */
async function loadPagesOfBusyShop(ground: Ground, seconds: number, everyMs: number): Promise<Measurement> {
  const shopper = new Shopper(ground.shop.url, BUYERS)
  const beganMs = performance.now()
  const measured = await measureDuring(
    loadPages(ground, cachedPages(ground), seconds),
    keepBusy(BUYERS, seconds, async (_buyer, turn) => {
      await pause(Math.max(0, beganMs + turn * everyMs - performance.now()))
      const { id } = await shopper.createCart()
      await shopper.addLine(id, ground.hotVariantId)
      await shopper.checkOut(id)
    }),
  )
  await shopper.close()
  return measured
}

/** Measures the pages of the reference storefront, in one process, beside the shop. */
export async function benchStorefront(options: Rounds): Promise<void> {
  await buildApp('storefront', { print: (line) => console.error(line) })
  const opened = await openGround({ edgeCache: true, ownStorefront: true })
  const { ground } = opened
  try {
    const rows: string[][] = []
    for (const { name, targetRate, run } of SCENARIOS) {
      const measure = (seconds: number) => run(ground, seconds)
      const shown = { name, unit: 'pages', target: targetRate.toLocaleString('en-US') }
      rows.push(await runRounds({ shop: ground.shop, ...shown, run: measure }, options))
    }
    console.log(describeMachine())
    console.log(
      markdownTable(['scenario', 'measured', 'p50 ms', 'p99 ms', 'target a second', 'failures', 'CPU ms a page'], rows),
    )
  } finally {
    await opened.close()
  }
}
