import type { App } from '@storefront/chassis'
import { changeEndpoint } from './change-endpoint.ts'
import type { EndpointContext } from './create-endpoint.ts'
import { Endpoint, EndpointParams } from './endpoint.ts'

export function enableEndpointRoute(app: App, context: EndpointContext): void {
  app.post('/admin/webhooks/:id/enable', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      tags: ['Admin: webhooks'],
      summary: 'Send to an endpoint again',
      description:
        'What waited goes out, and what went wrong before is forgotten. What happened meanwhile is not sent.',
      params: EndpointParams,
      response: { 200: Endpoint },
    },
    handler: ({ params, actor }) => changeEndpoint(context, params.id, { enabled: true }, { actor }),
  })
}
