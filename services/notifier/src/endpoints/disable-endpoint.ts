import type { App } from '@storefront/http'
import type { NotifierContext } from '../context.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { Endpoint, EndpointParams } from './endpoint.ts'

export function disableEndpointRoute(app: App, context: NotifierContext): void {
  app.post('/admin/webhooks/:id/disable', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Disable an endpoint',
      description: 'No new deliveries are queued for it. Pending ones wait.',
      params: EndpointParams,
      response: { 200: Endpoint },
    },
    handler: ({ params, actor }) => changeEndpoint(context, params.id, { enabled: false }, { actor }),
  })
}
