import { registry } from '../metrics/registry.ts'

/** The sum of the values that a metric of this process has with these labels; 0 when it has none. */
export async function metricValue(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] }
  return values
    .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}
