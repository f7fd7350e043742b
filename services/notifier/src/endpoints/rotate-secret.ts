import { HOUR_MS } from '@storefront/service'
import { actorIdOf } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { z } from 'zod'
import type { NotifierContext } from '../context.ts'
import { endpointNotFound, namedByConfiguration } from '../errors.ts'
import { EndpointParams, EndpointWithSecret, showEndpoint, STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { encryptEndpointSecret, generateEndpointSecret } from './endpoint-secret.ts'
import { lockEndpoint, updateEndpoint } from './endpoints.queries.ts'
import { recordEndpointChange } from './record-endpoint-change.ts'

const OVERLAP_HOURS = 24
const MAX_OVERLAP_HOURS = 168

export function rotateSecretRoute(app: App, { db, clock, log, encryption, deliver }: NotifierContext): void {
  app.post('/admin/webhooks/:id/rotate', {
    config: { access: { admin: 'webhooks:write' }, errors: ['conflict', 'not_found'] },
    schema: {
      summary: 'Give an endpoint a new secret',
      description:
        'It signs at once. Until `previousSecretUntil` the previous one signs as well, so that the receiver can switch over: ' +
        'for `overlapHours`, 24 if omitted. Use 0 for a secret that leaked.',
      params: EndpointParams,
      body: z
        .object({
          overlapHours: z
            .number()
            .min(0)
            .max(MAX_OVERLAP_HOURS)
            .optional()
            .describe(`Hours in which the previous secret signs as well; ${OVERLAP_HOURS} if omitted.`),
        })
        .nullish(),
      response: { 200: EndpointWithSecret },
    },
    handler: async ({ params: { id }, body, actor }) => {
      const overlapMs = (body?.overlapHours ?? OVERLAP_HOURS) * HOUR_MS
      const secret = generateEndpointSecret()
      const now = clock.now()
      const rotated = await transaction(db, async (tx) => {
        const before = await lockEndpoint(tx, id)
        if (!before) throw endpointNotFound()
        if (id === STOREFRONT_ENDPOINT_ID) throw namedByConfiguration('its secret is a credential')
        const overlaps = overlapMs > 0 && before.secret !== null
        const after = await updateEndpoint(tx, id, {
          secret: encryptEndpointSecret(encryption, secret, id),
          previous_secret: overlaps ? before.secret : null,
          previous_until: overlaps ? new Date(now.getTime() + overlapMs) : null,
          updated_at: now,
        })
        await recordEndpointChange(tx, { actor, before, after, at: now })
        return after
      })
      log.info({ endpoint: id, actor: actorIdOf(actor) }, 'the secret of a webhook endpoint was rotated')
      // Deliveries that waited for a readable secret are sent.
      deliver()
      return { ...showEndpoint(rotated, now), secret }
    },
  })
}
