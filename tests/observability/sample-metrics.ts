import { createServer } from 'node:http'
import { SERVICE_NAMES } from '@storefront/contracts'
import { listen } from '@storefront/tools/listen'
import { KNOWN_METRICS, type KnownMetric } from './known-metrics.ts'

/** The label values that dashboards and alerts select; every other label has one value. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: ['200', '503'],
  outcome: ['hit', 'miss', 'handled', 'dead'],
  event: ['placed', 'order.paid'],
  side: ['sent', 'served'],
}

export interface SampleMetrics {
  port: number
  stop(): Promise<void>
}

/** A server that serves at `/<service>` every known metric, with counters that rise all the time. */
export async function serveSampleMetrics(): Promise<SampleMetrics> {
  let scrapes = 0
  const server = createServer((request, response) => {
    const service = SERVICE_NAMES.find((name) => request.url === `/${name}`)
    scrapes += 1
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(service === undefined ? '' : exposition(service, scrapes))
  })
  const { port, close } = await listen(server)
  return { port, stop: close }
}

function exposition(service: string, scrapes: number): string {
  const lines = Object.entries(KNOWN_METRICS).flatMap(([name, metric]) => [
    `# TYPE ${name} ${metric.kind}`,
    ...combinations(metric.labels).flatMap((labels) => samples(name, metric, { service, ...labels }, scrapes)),
  ])
  return `${lines.join('\n')}\n`
}

function samples(name: string, { kind }: KnownMetric, labels: Record<string, string>, scrapes: number): string[] {
  if (kind === 'gauge') return [`${name}${braces(labels)} 1`]
  if (kind === 'counter') return [`${name}${braces(labels)} ${scrapes * 10}`]
  return [
    ...['0.1', '1', '+Inf'].map((le) => `${name}_bucket${braces({ ...labels, le })} ${scrapes * 10}`),
    `${name}_sum${braces(labels)} ${scrapes}`,
    `${name}_count${braces(labels)} ${scrapes * 10}`,
  ]
}

function combinations(labels: readonly string[]): Record<string, string>[] {
  return labels.reduce<Record<string, string>[]>(
    (sets, label) => sets.flatMap((set) => (VALUES[label] ?? ['some']).map((value) => ({ ...set, [label]: value }))),
    [{}],
  )
}

function braces(labels: Record<string, string>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`
}
