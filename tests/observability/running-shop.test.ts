import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_NAMES } from '@storefront/contracts'
import { waitFor } from '@storefront/tools/testing'
import { openShop, type TestShop } from '../support/shop.ts'
import { KNOWN_METRICS } from './known-metrics.ts'
import { findPrometheus } from './prometheus-programs.ts'
import { startPrometheus, type RunningPrometheus } from './start-prometheus.ts'

const programs = await findPrometheus()
const Result = z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) })
const Alerts = z.object({
  alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
})

describe('a running shop', () => {
  let shop: TestShop
  let prometheus: RunningPrometheus | undefined

  beforeAll(async () => {
    shop = await openShop()
    if (!programs) return
    const targets = SERVICE_NAMES.map((service) => {
      const { host, pathname } = new URL(shop.shop.metricsUrls[service])
      return { service, address: host, path: pathname }
    })
    prometheus = await startPrometheus(programs.prometheus, targets)
  })

  afterAll(async () => {
    await prometheus?.stop()
    await shop?.stop()
  })

  test('makes every metric that dashboards and alerts may use, of the kind they take it for', async () => {
    const answers = await Promise.all(
      Object.values(shop.shop.metricsUrls).map(async (url) => (await fetch(url)).text()),
    )
    const kinds = new Map(
      answers.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind])),
    )
    const expected = Object.entries(KNOWN_METRICS).map(([name, { kind }]) => [name, kind])
    expect(expected.filter(([name, kind]) => kinds.get(name) !== kind)).toEqual([])
  })

  test.skipIf(!programs)(
    'is seen by Prometheus: every copy is up, nothing is oversold, and no alert fires',
    async () => {
      const ask = async (query: string) => Result.parse(await prometheus?.ask('query', { query })).result
      const [oversold] = await waitFor('the check of the stock', async () => {
        const found = await ask('max(storefront_oversold_units)')
        return found.length > 0 && found
      })
      expect(oversold?.value[1]).toBe('0')
      await waitFor('every copy', async () => (await ask('up{service!=""} == 1')).length === SERVICE_NAMES.length)
      const { alerts } = Alerts.parse(await prometheus?.ask('alerts'))
      expect(alerts.filter(({ state }) => state === 'firing')).toEqual([])
    },
  )
})
