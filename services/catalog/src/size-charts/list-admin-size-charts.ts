import { z } from 'zod'
import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { listOf, SizeChart } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { contentTagOf, EtagField } from '../merchant/entity-tags.ts'
import { countProductsOfSizeCharts, findSizeCharts } from './size-charts.queries.ts'

const AdminSizeChart = SizeChart.extend({
  etag: EtagField,
  productCount: z.int().describe('Products that show it, drafts included.'),
}).meta({ id: 'AdminSizeChart' })

export function listAdminSizeChartsRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/size-charts', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'The size charts, each with the number of products that use it',
      description: 'All of them in one reply, including those that no product uses.',
      response: { 200: listOf(AdminSizeChart) },
    },
    handler: async () =>
      snapshot(db, async (now) => {
        const charts = await findSizeCharts(now)
        const counts = await countProductsOfSizeCharts(now)
        const items = charts.map((chart) => ({
          ...chart,
          etag: contentTagOf(chart),
          productCount: counts.get(chart.id) ?? 0,
        }))
        return { items, total: items.length }
      }),
  })
}
