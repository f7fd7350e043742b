import { parser } from '@prometheus-io/lezer-promql'

export interface Selector {
  metric: string
  /** The names of the labels that it selects by. */
  labels: string[]
}

export interface Expression {
  selectors: Selector[]
  /** The names of the labels in its `by (…)`, `on (…)` and the like. */
  groupings: string[]
  /** Whether it has a sum, a maximum and the like, which keep only the labels of their grouping. */
  isAggregated: boolean
}

/**
 * The series that a PromQL expression reads. Variables of Grafana are replaced by possible values first.
 * @throws Error when it does not parse
 */
export function readExpression(source: string): Expression {
  const text = withoutVariables(source)
  const expression: Expression = { selectors: [], groupings: [], isAggregated: false }
  parser.parse(text).iterate({
    enter({ name, type, from, to, node }) {
      const word = text.slice(from, to)
      if (type.isError) throw new Error(`not PromQL at character ${from}: ${text}`)
      // topk and bottomk keep every label.
      if (name === 'AggregateOp' && !/^(top|bottom)k$/.test(word)) expression.isAggregated = true
      if (name === 'VectorSelector') {
        const metric = node.getChild('Identifier')
        expression.selectors.push({ metric: metric ? text.slice(metric.from, metric.to) : '', labels: [] })
      }
      if (name !== 'LabelName') return
      const isGrouping = node.parent?.name === 'GroupingLabels'
      const list = isGrouping ? expression.groupings : expression.selectors.at(-1)?.labels
      list?.push(word)
    },
  })
  return expression
}

/** @param service the value of `$service` */
export function withoutVariables(expression: string, service = '.+'): string {
  return expression.replaceAll('$__rate_interval', '1m').replaceAll('$service', service)
}
