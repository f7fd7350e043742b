import { actorIdOf } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { newId } from '@storefront/contracts'
import type { NotifierContext } from '../context.ts'
import { tooManyEndpoints } from '../errors.ts'
import { distinctTypes, EndpointInput, EndpointWithSecret, MAX_ENDPOINTS, showEndpoint } from './endpoint.ts'
import { encryptEndpointSecret, generateEndpointSecret } from './endpoint-secret.ts'
import { countEndpoints, insertEndpoint, lockEndpoints } from './endpoints.queries.ts'
import { recordEndpointChange } from './record-endpoint-change.ts'
import { requireGoodUrl } from './require-good-url.ts'

export function createEndpointRoute(app: App, context: NotifierContext): void {
  const { db, clock, log, encryption } = context
  app.post('/admin/webhooks', {
    config: { access: { admin: 'webhooks:write' } },
    schema: {
      summary: 'Register an endpoint for webhooks',
      description:
        'It gets every event from now on, or only those of `types`. This response and that of a rotation are the only ones ' +
        'that show the signing secret.',
      body: EndpointInput,
      response: { 200: EndpointWithSecret },
    },
    handler: async ({ body, actor }) => {
      await requireGoodUrl(body.url, context)
      const id = newId('endpoint')
      const secret = generateEndpointSecret()
      const now = clock.now()
      const made = await transaction(db, async (tx) => {
        await lockEndpoints(tx)
        if ((await countEndpoints(tx)) >= MAX_ENDPOINTS) throw tooManyEndpoints(MAX_ENDPOINTS)
        const endpoint = {
          id,
          url: body.url,
          types: distinctTypes(body.types),
          description: body.description ?? '',
          secret: encryptEndpointSecret(encryption, secret, id),
        }
        const after = await insertEndpoint(tx, endpoint, now)
        await recordEndpointChange(tx, { actor, after, at: now })
        return after
      })
      log.info({ endpoint: id, actor: actorIdOf(actor) }, 'a webhook endpoint was registered')
      return { ...showEndpoint(made, now), secret }
    },
  })
}
