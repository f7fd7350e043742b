import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import { listOf } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { Endpoint, showEndpoint, STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { listEndpoints } from './endpoints.queries.ts'

export function listEndpointsRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  app.get('/admin/webhooks', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      summary: 'All webhook endpoints',
      description: 'The first, `whe_storefront`, comes from the configuration of the shop.',
      response: { 200: listOf(Endpoint) },
    },
    handler: async () => {
      const now = clock.now()
      const rows = await listEndpoints(db)
      const rank = ({ id }: { id: string }) => (id === STOREFRONT_ENDPOINT_ID ? 0 : 1)
      const items = rows.toSorted((one, other) => rank(one) - rank(other)).map((row) => showEndpoint(row, now))
      return { items, total: items.length }
    },
  })
}
