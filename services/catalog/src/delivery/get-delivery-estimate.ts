import { z } from 'zod'
import { sendPublicJson, type App } from '@storefront/http'
import { DeliveryEstimate } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { deliveryNotOffered } from '../errors.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { settingsInForce } from '../settings/settings-in-force.ts'
import { estimateDelivery } from './estimate-delivery.ts'

export function getDeliveryEstimateRoute(app: App, { db, clock }: CatalogContext): void {
  app.get('/delivery-estimate', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'When an order placed now would arrive',
      description:
        'Counts working days in the time zone of the shop, past its holidays, and ships today until the cutoff ' +
        'hour. A method or country that is not offered is 404 `not_found`.',
      querystring: z.object({
        method: z.string().max(100).default('').describe('Id of a shipping method; left out, the first one.'),
        country: z
          .string()
          .max(100)
          .default('')
          .describe('ISO 3166-1 alpha-2 code, in any case; left out, the first country served.'),
      }),
      response: { 200: DeliveryEstimate },
    },
    handler: async ({ query }, reply) => {
      const { document } = await findSettings(db)
      const now = clock.now()
      const result = estimateDelivery({
        commerce: settingsInForce(document).commerce,
        methodId: query.method,
        country: query.country,
        now,
      })
      if (!result) throw deliveryNotOffered()
      return sendPublicJson(reply, JSON.stringify(result.estimate), [key.settings], {
        changesInSeconds: (result.changesAt.getTime() - now.getTime()) / 1000,
      })
    },
  })
}
