import type { App } from '@storefront/http'
import type { Clock } from '@storefront/service'
import type { Database } from '../database.ts'
import { endpointNotFound } from '../errors.ts'
import { Endpoint, EndpointParams, showEndpoint } from './endpoint.ts'
import { findEndpoint } from './endpoints.queries.ts'

export function getEndpointRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  app.get('/admin/webhooks/:id', {
    config: { access: { admin: 'webhooks:write' }, errors: ['not_found'] },
    schema: {
      summary: 'An endpoint and its health',
      description:
        'Shows since when it fails, until when it is paused and why it was disabled; its secret is not shown again.',
      params: EndpointParams,
      response: { 200: Endpoint },
    },
    handler: async ({ params }) => {
      const endpoint = await findEndpoint(db, params.id)
      if (!endpoint) throw endpointNotFound()
      return showEndpoint(endpoint, clock.now())
    },
  })
}
