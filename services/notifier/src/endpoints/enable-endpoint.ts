import type { App } from '@storefront/http'
import type { NotifierContext } from '../context.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { Endpoint, EndpointParams } from './endpoint.ts'

export function enableEndpointRoute(app: App, context: NotifierContext): void {
  app.post('/admin/webhooks/:id/enable', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Enable an endpoint',
      description:
        'Waiting deliveries are sent, and its failures are cleared. Events from the time in between are not sent.',
      params: EndpointParams,
      response: { 200: Endpoint },
    },
    handler: ({ params, actor }) => changeEndpoint(context, params.id, { enabled: true }, { actor }),
  })
}
