import { Gauge } from 'prom-client'
import { registry } from './registry.ts'

interface LabeledValue {
  labels?: Record<string, string>
  value: number
}

/**
 * A gauge of values in memory, read at each scrape. It is left out while it has no source.
 * @param read values of all sources together, in base units
 */
export function liveGauge<Source>(
  about: { name: string; help: string; labelNames?: readonly string[] },
  read: (sources: readonly Source[]) => LabeledValue[],
) {
  const sources = new Set<Source>()
  const gauge: Gauge = new Gauge({
    ...about,
    labelNames: [...(about.labelNames ?? [])],
    registers: [registry],
    collect: () => {
      gauge.reset()
      gauge.remove({})
      if (sources.size === 0) return
      for (const { labels, value } of read([...sources])) gauge.set(labels ?? {}, value)
    },
  })
  return {
    /** Shows the source from now on. @returns a function that removes it */
    watch(source: Source): () => void {
      sources.add(source)
      return () => void sources.delete(source)
    },
  }
}
