import { readText } from '../repository/source-files.ts'

export interface DocumentedMetric {
  name: string
  labels: string[]
  type: string
}

/** The table of docs/operations.md, in the order of its rows. */
export function documentedMetrics(): DocumentedMetric[] {
  const rows = readText('docs/operations.md').matchAll(
    /^\| `((?:storefront|http_server)_\w+)` +\| (.*?) +\| (\w+) +\|/gm,
  )
  return [...rows].map(([, name = '', labels = '', type = '']) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    type,
  }))
}
