import { cpus } from 'node:os'
import { z } from 'zod'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const LEAST_SCORE = 0.95
/** The latest time at which the largest part of a page must be visible. */
const MAX_LCP_MS = 1200
const MAX_SHIFT = 0.02
const MAX_SCRIPT_BYTES = 40_000

/** What is read of a report of Lighthouse. */
export const LighthouseResult = z.object({
  lhr: z.object({
    runtimeError: z.object({ message: z.string() }).optional(),
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
type Report = z.output<typeof LighthouseResult>['lhr']

const Requests = z.object({
  items: z.array(z.looseObject({ resourceType: z.string().optional(), transferSize: z.number().optional() })),
})

export interface Page {
  name: string
  path: string
}

export interface Measured extends Page {
  scores: Readonly<Record<(typeof CATEGORIES)[number], number>>
  lcpMs: number
  shift: number
  scriptBytes: number
  /** What Lighthouse found. */
  failed: readonly string[]
}

/** @returns the run of a page with the middle performance */
export function middleRun(page: Page, reports: readonly Report[]): Measured {
  const runs = reports.map((report) => measured(page, report))
  const sorted = runs.toSorted(
    (one, other) => one.scores.performance - other.scores.performance || other.lcpMs - one.lcpMs,
  )
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new Error(`${page.name} was not measured`)
  return middle
}

function measured(page: Page, { audits, categories }: Report): Measured {
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY
  const scoreOf = (category: string) => categories[category]?.score ?? 0
  const { items } = Requests.parse(audits['network-requests']?.details)
  const scripts = items.filter(({ resourceType }) => resourceType === 'Script')
  return {
    ...page,
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    lcpMs: value('largest-contentful-paint'),
    shift: value('cumulative-layout-shift'),
    scriptBytes: scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    failed: Object.values(audits).flatMap(({ score, title }) => (score !== null && score < 0.9 ? [title] : [])),
  }
}

/** @returns a sentence for each target that a page misses */
export function faultsOf({ name, scores, lcpMs, shift, scriptBytes, failed }: Measured): string[] {
  const low = CATEGORIES.filter((category) => scores[category] < LEAST_SCORE)
  return [
    ...low.map((category) => `${name}: ${category} is ${percent(scores[category])}: ${failed.join('; ')}`),
    ...(lcpMs > MAX_LCP_MS ? [`${name}: the largest part is visible after ${Math.round(lcpMs)} ms`] : []),
    ...(shift > MAX_SHIFT ? [`${name}: the layout shifts by ${shift.toFixed(3)}`] : []),
    ...(scriptBytes > MAX_SCRIPT_BYTES ? [`${name}: scripts have ${scriptBytes} bytes`] : []),
  ]
}

/** @returns one line about a page, for the terminal */
export function lineOf({ name, scores, lcpMs }: Measured): string {
  const parts = CATEGORIES.map((category) => `${category} ${percent(scores[category])}`)
  return `${name}: ${parts.join(', ')}, largest after ${(lcpMs / 1000).toFixed(2)} s`
}

/** @returns docs/lighthouse.md */
export function reportText(pages: readonly Measured[], { version, runs }: { version: string; runs: number }): string {
  const rows = pages.map(({ name, path, scores, lcpMs, shift, scriptBytes }) => [
    name,
    `\`${path}\``,
    ...CATEGORIES.map((category) => percent(scores[category])),
    `${(lcpMs / 1000).toFixed(2)} s`,
    shift.toFixed(3),
    `${(scriptBytes / 1000).toFixed(1)} kB`,
  ])
  const head = [
    'Page',
    'Address',
    'Performance',
    'Accessibility',
    'Best practices',
    'SEO',
    'Largest part',
    'Shift',
    'Scripts',
  ]
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `# Lighthouse

The pages of the [storefront](../apps/storefront/README.md) in the preset for phones of Lighthouse ${version}: a slow processor and a slow network
(150 ms, 1.6 Mbit/s) are simulated. Each row is the middle one of ${runs} runs, with the demo shop, on ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}).
\`npm run lighthouse\` measures again, and fails when a score is below ${percent(LEAST_SCORE)}, the largest part of a page is visible after ${MAX_LCP_MS / 1000} s, the layout
shifts by more than ${MAX_SHIFT}, or a page has more than ${MAX_SCRIPT_BYTES / 1000} kB of scripts.

${table}
`
}

function percent(score: number): string {
  return String(Math.round(score * 100))
}
