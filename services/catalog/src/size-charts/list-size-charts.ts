import { sendPublicJson, type App } from '@storefront/http'
import { listOf, SizeChart } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findSizeCharts } from './size-charts.queries.ts'

export function listSizeChartsRoute(app: App, { db }: { db: Database }): void {
  app.get('/size-charts', {
    config: { access: 'public' },
    schema: {
      summary: 'The size charts',
      description: 'All charts that products share. A product that uses one carries a copy of it, as `sizeChart`.',
      response: { 200: listOf(SizeChart) },
    },
    handler: async (_request, reply) => {
      const items = await findSizeCharts(db)
      return sendPublicJson(reply, JSON.stringify({ items, total: items.length }), [key.sizeCharts])
    },
  })
}
