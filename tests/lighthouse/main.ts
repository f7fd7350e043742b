import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { buildApp } from '@storefront/tools/build-app'
import { freePort } from '@storefront/tools/infrastructure'
import { launch } from '@storefront/tools/launch'
import { packageCache } from '@storefront/tools/testing'
import { startPersistentBrowser } from '../support/browser.ts'

const run = promisify(execFile)
const REPORT = resolve(import.meta.dirname, '../../docs/lighthouse.md')
/** Not among the packages of the repository: it would double the time of their installation. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const LEAST_SCORE = 0.95
const MOST_LCP_MS = 1200
const MOST_SCRIPT_BYTES = 40_000
/** The scores of a page differ from run to run with the load of the machine: the middle one of these counts. */
const RUNS = 3

const Result = z.object({
  lhr: z.object({
    categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
    audits: z.record(
      z.string(),
      z.looseObject({
        numericValue: z.number().optional(),
        score: z.number().nullable(),
        title: z.string(),
        details: z.unknown(),
      }),
    ),
  }),
})
type Report = z.output<typeof Result>['lhr']
const NetworkItems = z.object({
  items: z.array(z.looseObject({ resourceType: z.string().optional(), transferSize: z.number().optional() })),
})
const Lighthouse = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>((value) => typeof value === 'function'),
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** `npm run lighthouse`: measures the pages of the storefront in the preset for phones, and writes docs/lighthouse.md. */
await buildApp('storefront', { print })
const folder = await mkdtemp(join(tmpdir(), 'storefront-lighthouse-'))
const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORT: '0',
  LOG_LEVEL: 'warn',
  ADMIN_EMAIL: 'admin@example.com',
  RATE_LIMIT_GENERAL: '0',
}
const shop = await launch({
  env,
  dataDir: join(folder, 'data'),
  cacheDir: packageCache(),
  seed: true,
  storefront: true,
  print,
})
try {
  await mkdir(join(folder, 'lighthouse'))
  print(`Installing ${LIGHTHOUSE}.`)
  await run('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    join(folder, 'lighthouse'),
    LIGHTHOUSE,
  ])
  const place = createRequire(join(folder, 'lighthouse', 'package.json')).resolve('lighthouse')
  const { default: lighthouse } = Lighthouse.parse(await import(pathToFileURL(place).href))
  const reports = await measure(shop.storefrontUrl, (url, flags) => lighthouse(url, flags))
  await writeFile(REPORT, textOf(reports))
  print(`Written to ${REPORT}.`)
  const faults = reports.flatMap(({ name, report }) => faultsOf(report).map((fault) => `${name}: ${fault}`))
  for (const fault of faults) print(fault)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Measured {
  name: string
  path: string
  report: Report
}

async function measure(
  storefrontUrl: string,
  lighthouse: (url: string, flags: object) => Promise<unknown>,
): Promise<Measured[]> {
  const port = await freePort()
  const context = await startPersistentBrowser(join(folder, 'browser'), port)
  try {
    const page = await context.newPage()
    await page.goto(`${storefrontUrl}/shop`)
    const product = new URL(await page.locator('article a').first().evaluate('(link) => link.href')).pathname
    await page.goto(`${storefrontUrl}${product}`)
    await page.locator('form[action="/bag/lines"] button').first().click()
    await page.locator('#bag[open]').waitFor()
    await page.close()
    const pages: [name: string, path: string, skipAudits: string[]][] = [
      ['Home', '/', []],
      ['List', '/shop/women', []],
      ['Product', product, []],
      // Not for search engines.
      ['Bag', '/cart', ['is-crawlable']],
      ['Checkout', '/checkout', ['is-crawlable']],
    ]
    const measured: Measured[] = []
    for (const [name, path, skipAudits] of pages) {
      const reports: Report[] = []
      for (let each = 0; each < RUNS; each++) {
        // The browser keeps its bag; its cache is empty all the same.
        const flags = { port, logLevel: 'error', onlyCategories: CATEGORIES, skipAudits, disableStorageReset: true }
        const { lhr } = Result.parse(await lighthouse(`${storefrontUrl}${path}`, flags))
        reports.push(lhr)
      }
      const [report] = reports
        .toSorted((one, other) => score(one, 'performance') - score(other, 'performance'))
        .slice(1)
      if (!report) throw new Error(`${name} was not measured`)
      print(`${name}: ${CATEGORIES.map((category) => `${category} ${score(report, category) * 100}`).join(', ')}`)
      measured.push({ name, path, report })
    }
    return measured
  } finally {
    await context.close()
  }
}

function score(report: Report, category: (typeof CATEGORIES)[number]): number {
  return report.categories[category]?.score ?? 0
}

function milliseconds(report: Report, audit: string): number {
  return report.audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY
}

function scriptBytes(report: Report): number {
  const { items } = NetworkItems.parse(report.audits['network-requests']?.details)
  return items.reduce((sum, item) => sum + (item.resourceType === 'Script' ? (item.transferSize ?? 0) : 0), 0)
}

function faultsOf(report: Report): string[] {
  const low = CATEGORIES.filter((category) => score(report, category) < LEAST_SCORE)
  const failed = Object.values(report.audits).filter((audit) => audit.score !== null && audit.score < 0.9)
  const lcpMs = milliseconds(report, 'largest-contentful-paint')
  return [
    ...low.map(
      (category) => `${category} is ${score(report, category) * 100}: ${failed.map(({ title }) => title).join('; ')}`,
    ),
    ...(lcpMs > MOST_LCP_MS ? [`the largest picture is there after ${Math.round(lcpMs)} ms`] : []),
    ...(scriptBytes(report) > MOST_SCRIPT_BYTES ? [`scripts have ${scriptBytes(report)} bytes`] : []),
  ]
}

function textOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ name, path, report }) => [
    name,
    `\`${path}\``,
    ...CATEGORIES.map((category) => String(Math.round(score(report, category) * 100))),
    `${(milliseconds(report, 'largest-contentful-paint') / 1000).toFixed(2)} s`,
    (report.audits['cumulative-layout-shift']?.numericValue ?? 0).toFixed(3),
    `${(scriptBytes(report) / 1000).toFixed(1)} kB`,
  ])
  const head = [
    'Page',
    'Address',
    'Performance',
    'Accessibility',
    'Best practices',
    'SEO',
    'Largest picture',
    'Shift',
    'Scripts',
  ]
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `# Lighthouse

The pages of the [storefront](../apps/storefront/README.md) in the preset for phones of ${LIGHTHOUSE.replace('@', ' ')}: a slow processor and a slow network
(150 ms, 1.6 Mbit/s) are simulated. Each figure is of the middle one of ${RUNS} runs, with the demo shop, on ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}).
\`npm run lighthouse\` measures again, and fails when a score is below ${LEAST_SCORE * 100}, the largest picture later than ${MOST_LCP_MS / 1000} s, or a page has more than
${MOST_SCRIPT_BYTES / 1000} kB of scripts.

${table}

The bag and the checkout say that they are not for search engines; the audit that would count this as a fault is left out for them.
`
}
