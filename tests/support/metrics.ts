import type { ServiceName } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Scrape {
  text: string
  samples: Sample[]
  /** The declared names with their types. */
  types: Map<string, string>
}

/** The metrics that a service of the shop serves at /metrics. */
export async function scrape(shop: Pick<RunningShop, 'metricsUrls'>, service: ServiceName): Promise<Scrape> {
  const response = await fetch(shop.metricsUrls[service])
  if (response.status !== 200) throw new Error(`a scrape of ${service} failed with ${response.status}`)
  return readMetrics(await response.text())
}

/** Reads the text format of Prometheus. */
function readMetrics(text: string): Scrape {
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    const declared = /^# TYPE (\S+) (\S+)$/.exec(line)
    if (declared?.[1] && declared[2]) types.set(declared[1], declared[2])
    const sample = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/i.exec(line)
    if (!sample?.[1] || line.startsWith('#')) continue
    const labels = Object.fromEntries(
      [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
    )
    samples.push({ name: sample[1], labels, value: Number(sample[3]) })
  }
  return { text, samples, types }
}

/** The sum of the samples of this name that have these labels; undefined when there is none. */
export function valueOf({ samples }: Scrape, name: string, labels: Record<string, string> = {}): number | undefined {
  const fitting = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return fitting.length === 0 ? undefined : fitting.reduce((sum, { value }) => sum + value, 0)
}
