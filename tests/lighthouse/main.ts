import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { buildApp } from '@storefront/tools/build-app'
import { freePort } from '@storefront/tools/infrastructure'
import { launch } from '@storefront/tools/launch'
import { packageCache, scriptEnvironment } from '@storefront/tools/testing'
import { fillBag, startChrome } from './chrome.ts'
import { faultsOf, LighthouseResult, lineOf, middleRun, reportText, type Measured, type Page } from './report.ts'

const run = promisify(execFile)
const REPORT = resolve(import.meta.dirname, '../../docs/lighthouse.md')
/** Not among the packages of the repository: it would double the time of their installation. */
const VERSION = '13.5.0'
/** The figures of a page differ from run to run with the load of the machine: the middle one of these counts. */
const RUNS = 3
const MAX_ATTEMPTS = 3
const PRODUCT = '/product/harbour-stripe-shirt'

const PAGES: readonly Page[] = [
  { name: 'Home', path: '/' },
  { name: 'List', path: '/shop/women' },
  { name: 'Product', path: PRODUCT },
  { name: 'Bag, empty', path: '/cart' },
  { name: 'Checkout, empty', path: '/checkout' },
]
const PAGES_WITH_BAG: readonly Page[] = [
  { name: 'Bag', path: '/cart' },
  { name: 'Checkout', path: '/checkout' },
]

const Lighthouse = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>((value) => typeof value === 'function'),
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * `npm run lighthouse`: measures the pages of the storefront in the preset for phones, and writes docs/lighthouse.md.
 */
await buildApp('storefront', { print })
const folder = await mkdtemp(join(tmpdir(), 'storefront-lighthouse-'))
const shop = await launch({
  env: { ...scriptEnvironment(), RATE_LIMIT_GENERAL: '0' },
  dataDir: join(folder, 'data'),
  cacheDir: packageCache(),
  seed: true,
  storefront: true,
  print,
})
try {
  const lighthouse = await installLighthouse(join(folder, 'lighthouse'))
  const pages = await measure(PAGES, join(folder, 'visitor'), lighthouse)
  const buyer = join(folder, 'buyer')
  await fillBag(buyer, `${shop.storefrontUrl}${PRODUCT}`)
  pages.push(...(await measure(PAGES_WITH_BAG, buyer, lighthouse)))
  await writeFile(REPORT, reportText(pages, { version: VERSION, runs: RUNS }))
  await run('npx', ['oxfmt', REPORT])
  print(`Written to ${REPORT}.`)
  const faults = pages.flatMap(faultsOf)
  for (const fault of faults) print(fault)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
}

type Measure = (url: string, flags: object) => Promise<unknown>

async function installLighthouse(place: string): Promise<Measure> {
  print(`Installing Lighthouse ${VERSION}.`)
  await mkdir(place)
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', place, `lighthouse@${VERSION}`])
  const file = createRequire(join(place, 'package.json')).resolve('lighthouse')
  return Lighthouse.parse(await import(pathToFileURL(file).href)).default
}

/** @param profile where the browser keeps its storage, with the bag */
async function measure(pages: readonly Page[], profile: string, lighthouse: Measure): Promise<Measured[]> {
  const port = await freePort()
  const browser = await startChrome(profile, port)
  try {
    const measured: Measured[] = []
    for (const page of pages) {
      const reports = []
      for (let each = 0; each < RUNS; each++) {
        reports.push(await runOnce(`${shop.storefrontUrl}${page.path}`, port, lighthouse))
      }
      const middle = middleRun(page, reports)
      print(lineOf(middle))
      measured.push(middle)
    }
    return measured
  } finally {
    browser.kill()
    await once(browser, 'exit')
  }
}

/** Now and then Lighthouse loses the beginning of a page, and says to run it again. */
async function runOnce(url: string, port: number, lighthouse: Measure) {
  // Caches are emptied before each run; the bag stays in the storage of the browser.
  const flags = { port, logLevel: 'error', onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'] }
  let message = ''
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { lhr } = LighthouseResult.parse(await lighthouse(url, flags))
    if (!lhr.runtimeError) return lhr
    message = lhr.runtimeError.message
    print(`${url}: ${message}`)
  }
  throw new Error(`${url} was not measured: ${message}`)
}
