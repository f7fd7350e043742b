import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { alerts, dashboards, panelsOf, rules } from './observability-files.ts'
import { findPrometheus } from './prometheus-programs.ts'
import { withoutVariables } from './promql.ts'
import { serveSampleMetrics, type SampleMetrics } from './sample-metrics.ts'
import { startPrometheus, type RunningPrometheus } from './start-prometheus.ts'

const programs = await findPrometheus()
const Result = z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) })
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string().optional() })),
    }),
  ),
})

describe.skipIf(!programs)('a Prometheus with the rules of the shop', () => {
  let metrics: SampleMetrics
  let prometheus: RunningPrometheus

  beforeAll(async () => {
    metrics = await serveSampleMetrics()
    const address = `127.0.0.1:${metrics.port}`
    prometheus = await startPrometheus(
      programs?.prometheus ?? '',
      SERVICE_NAMES.map((service) => ({ service, address, path: `/${service}` })),
    )
  })

  afterAll(async () => {
    await prometheus?.stop()
    await metrics?.stop()
  })

  async function query(expression: string) {
    return Result.parse(await prometheus.request('query', { query: expression })).result
  }

  async function currentRules() {
    return Rules.parse(await prometheus.request('rules')).groups.flatMap((group) => group.rules)
  }

  test('labels each service with the name that the service reports', async () => {
    const replicas = await waitFor('every service', async () => {
      const found = await query('sum by (service) (up{service!=""}) == 1')
      return found.length === SERVICE_NAMES.length && found
    })
    expect(new Set(replicas.map(({ metric }) => metric['service']))).toEqual(new Set<string>(SERVICE_NAMES))
    expect(await query('{exported_service!=""}')).toEqual([])
  })

  test('evaluates every rule, and the alert on oversold units fires', async () => {
    await waitFor('every rule', async () => (await currentRules()).every(({ health }) => health === 'ok'))
    const firing = await waitFor('an alert', async () => {
      const found = (await currentRules()).filter(({ state }) => state === 'firing')
      return found.some(({ name }) => name === 'Oversold') && found
    })
    expect((await currentRules()).length).toBe(rules().length)
    expect(firing.length).toBeLessThan(alerts().length)
  })

  test.each(
    dashboards().flatMap(({ dashboard }) =>
      panelsOf(dashboard).map(({ title, targets }) => ({ dashboard: dashboard.title, title, targets })),
    ),
  )('shows data in $dashboard: $title', async ({ targets }) => {
    const shown = await Promise.all(
      targets.map(({ expr }) =>
        waitFor(expr, async () => {
          const found = await query(withoutVariables(expr, expr.includes('="$service"') ? 'gateway' : '.+'))
          return found.length > 0 && found
        }),
      ),
    )
    expect(shown).toHaveLength(targets.length)
  })
})
