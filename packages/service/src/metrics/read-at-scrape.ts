import { Gauge } from 'prom-client'
import type { Stoppable } from '../timer.ts'
import { counter, registry } from './registry.ts'

/** How long a scrape waits for values from PostgreSQL or NATS; values that are late are left out of it. */
const DEADLINE_MS = 1000
/** Several scrapers, or reloads of the page, cost one read in this time. */
const MAX_AGE_MS = 5000

export interface Reading {
  gauge: Gauge
  labels?: Record<string, string>
  value: number
}

interface Source {
  readings: readonly Reading[]
  refresh(): Promise<void>
}

const errors = counter(
  'storefront_scrape_errors_total',
  'Reads that were left out of a scrape because they failed or took too long',
  ['source'],
)
const gauges = new Set<Gauge>()
const sources = new Set<Source>()

/** Makes a gauge for `readAtScrape`. @param name with its unit */
export function scrapedGauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
  const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
  gauges.add(gauge)
  return gauge
}

/**
 * Reads values when metrics are scraped: never twice at once, not again before the last result is some seconds old, and
 * without delaying the scrape by more than a second. Values that could not be read are left out.
 * @param about.source names the read in `storefront_scrape_errors_total`
 * @param about.maxAgeMs how old the last result may be, five seconds by default
 * @param read must settle at some time, as every request with a timeout does
 */
export function readAtScrape(
  about: { source: string; maxAgeMs?: number },
  read: () => Promise<readonly Reading[]>,
): Stoppable {
  const { source: name, maxAgeMs = MAX_AGE_MS } = about
  let readAtMs = -Infinity
  let underWay: Promise<void> | undefined
  errors.inc({ source: name }, 0)

  async function readNow(): Promise<void> {
    try {
      source.readings = await read()
      readAtMs = performance.now()
    } catch {
      // The source reports its own outage; a log line for every scrape would add nothing.
      fail()
    }
    underWay = undefined
  }

  function fail(): void {
    source.readings = []
    readAtMs = -Infinity
    errors.inc({ source: name })
  }

  const source: Source = {
    readings: [],
    async refresh() {
      if (performance.now() - readAtMs < maxAgeMs) return
      underWay ??= readNow()
      if (!(await settlesInTime(underWay))) fail()
    },
  }
  sources.add(source)
  return {
    async stop() {
      sources.delete(source)
      await underWay
    },
  }
}

async function settlesInTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DEADLINE_MS)
  })
  const inTime = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return inTime
}

/** Updates every gauge of `scrapedGauge`. */
export async function refreshReadings(): Promise<void> {
  await Promise.all([...sources].map((source) => source.refresh()))
  for (const gauge of gauges) {
    gauge.reset()
    // A reset gauge without labels shows 0, which was never measured.
    gauge.remove({})
  }
  for (const { readings } of sources) {
    for (const { gauge, labels, value } of readings) gauge.set(labels ?? {}, value)
  }
}
