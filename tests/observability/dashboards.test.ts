import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readText } from '../repository/source-files.ts'
import { dashboards, FOLDER, panelsOf, type Dashboard } from './observability-files.ts'
import { readExpression } from './promql.ts'
import { labelsOf, unknownSeries } from './unknown-series.ts'

const all = dashboards()
const Datasources = z.object({ datasources: z.array(z.object({ uid: z.string(), type: z.string() })) })
const { datasources } = Datasources.parse(parse(readText(`${FOLDER}/grafana/provisioning/datasources/storefront.yml`)))

test('there are three dashboards, each with its own uid', () => {
  expect(all.map(({ dashboard }) => dashboard.uid)).toEqual([
    'storefront-events',
    'storefront-services',
    'storefront-shop',
  ])
})

test('series and labels that do not exist are found', () => {
  expect(unknownSeries('rate(storefront_sold_total[5m])')).toEqual(['storefront_sold_total'])
  expect(unknownSeries('storefront_service_requests_duration_seconds')).toEqual([
    'storefront_service_requests_duration_seconds',
  ])
  expect(unknownSeries('sum by (colour) (storefront_orders_total{size="M"})')).toEqual([
    'storefront_orders_total{size}',
    'by (colour)',
  ])
  expect(() => unknownSeries('sum by (rate(up[5m])')).toThrow('not PromQL')
})

describe.each(all)('$path', ({ dashboard }) => {
  const panels = panelsOf(dashboard)

  test('lets the reader choose a service', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['service'])
    expect(panels.some(({ targets }) => targets.some(({ expr }) => expr.includes('$service')))).toBe(true)
  })

  test('has panels that do not overlap, with unique ids and titles', () => {
    expect(overlaps(dashboard)).toEqual([])
    expect(dashboard.panels.filter(({ gridPos }) => gridPos.x < 0 || gridPos.x + gridPos.w > 24)).toEqual([])
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })

  test('uses the provisioned data source', () => {
    const { uid, type } = datasources[0] ?? { uid: '', type: '' }
    expect(panels.filter(({ datasource }) => datasource.uid !== uid || datasource.type !== type)).toEqual([])
  })

  test('shows series that exist', () => {
    const unknown = panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => unknownSeries(expr).map((series) => `${title}: ${series}`)),
    )
    expect(unknown).toEqual([])
  })

  test('names its lines after labels that its expressions keep', () => {
    const lost = panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat = '' }) => {
        const { groupings, selectors, isAggregated } = readExpression(expr)
        const left = isAggregated ? groupings : selectors.flatMap(({ metric }) => labelsOf(metric) ?? [])
        const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
        return used.filter((label) => !left.includes(label)).map((label) => `${title}: ${label}`)
      }),
    )
    expect(lost).toEqual([])
  })
})

function overlaps({ panels }: Dashboard): string[] {
  return panels.flatMap((one, index) =>
    panels
      .slice(index + 1)
      .filter(
        ({ gridPos: { x, y, w, h } }) =>
          x < one.gridPos.x + one.gridPos.w &&
          one.gridPos.x < x + w &&
          y < one.gridPos.y + one.gridPos.h &&
          one.gridPos.y < y + h,
      )
      .map((other) => `${one.title} and ${other.title}`),
  )
}
