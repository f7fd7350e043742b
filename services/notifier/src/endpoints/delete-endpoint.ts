import { actorIdOf } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { endpointNotFound, namedByConfiguration } from '../errors.ts'
import { settleForDeletedEndpoints } from './deleted-endpoints.queries.ts'
import { EndpointParams, STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { lockEndpointWhole, updateEndpoint } from './endpoints.queries.ts'
import { recordEndpointChange } from './record-endpoint-change.ts'

export function deleteEndpointRoute(app: App, { db, clock, log }: NotifierContext): void {
  app.delete('/admin/webhooks/:id', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Delete an endpoint',
      description: 'Pending deliveries are given up. The log of its deliveries stays for its thirty days.',
      params: EndpointParams,
      response: { 200: Ok },
    },
    handler: async ({ params: { id }, actor }): Promise<{ ok: true }> => {
      const now = clock.now()
      await transaction(db, async (tx) => {
        const before = await lockEndpointWhole(tx, id)
        if (!before) throw endpointNotFound()
        if (id === STOREFRONT_ENDPOINT_ID) throw namedByConfiguration('it is removed with STOREFRONT_URL')
        await updateEndpoint(tx, id, {
          enabled: false,
          secret: null,
          previous_secret: null,
          previous_until: null,
          deleted_at: now,
          updated_at: now,
        })
        await recordEndpointChange(tx, { actor, before, at: now })
      })
      log.info({ endpoint: id, actor: actorIdOf(actor) }, 'a webhook endpoint was deleted')
      // Not in the transaction above: it locks the endpoint, while a transaction that records results locks deliveries
      // first.
      await settleForDeletedEndpoints(db, now)
      return { ok: true }
    },
  })
}
