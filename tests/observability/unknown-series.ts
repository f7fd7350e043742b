import { labelsOf as labelsOfKnown } from './known-metrics.ts'
import { recordedNames } from './observability-files.ts'
import { readExpression } from './promql.ts'

/** The labels of a series of a service, of Prometheus or of a rule, or undefined for an unknown series. */
export function labelsOf(series: string): readonly string[] | undefined {
  return recordedNames().includes(series) ? ['service', 'event'] : labelsOfKnown(series)
}

/** The metrics, labels and grouping labels of an expression that do not exist. @throws Error when it does not parse */
export function unknownSeries(expression: string): string[] {
  const { selectors, groupings } = readExpression(expression)
  const labels = new Map(selectors.map(({ metric }) => [metric, labelsOf(metric)]))
  const anywhere = new Set([...labels.values()].flatMap((known) => known ?? []))
  return [
    ...selectors.flatMap(({ metric, labels: requested }) => {
      const known = labels.get(metric)
      return known
        ? requested.filter((label) => !known.includes(label)).map((label) => `${metric}{${label}}`)
        : [metric]
    }),
    ...groupings.filter((label) => !anywhere.has(label)).map((label) => `by (${label})`),
  ]
}
