import { z } from 'zod'
import { sendPublicJson, type App, type Clock } from '@storefront/chassis'
import { DeliveryEstimate } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { deliveryNotOffered } from '../errors.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { settingsInForce } from '../settings/settings-in-force.ts'
import { estimateDelivery } from './estimate-delivery.ts'

/** When an order placed now would arrive. */
export function getDeliveryEstimateRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  app.get(
    '/delivery-estimate',
    {
      config: { access: 'public', errors: ['not_found'] },
      schema: {
        tags: ['Catalogue'],
        summary: 'When an order placed now would arrive',
        querystring: z.object({ method: z.string().max(100).default(''), country: z.string().max(100).default('') }),
        response: { 200: DeliveryEstimate },
      },
    },
    async ({ query }, reply) => {
      const { document } = await findSettings(db)
      const now = clock.now()
      const answer = estimateDelivery({
        commerce: settingsInForce(document).commerce,
        methodId: query.method,
        country: query.country,
        now,
      })
      if (!answer) throw deliveryNotOffered()
      return sendPublicJson(reply, JSON.stringify(answer.estimate), ['settings'], {
        changesInSeconds: (answer.changesAt.getTime() - now.getTime()) / 1000,
      })
    },
  )
}
