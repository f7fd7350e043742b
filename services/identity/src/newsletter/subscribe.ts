import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { requireEmail } from '../accounts/account.ts'
import type { Dependencies } from '../app.ts'
import { insertSubscriber } from './newsletter.queries.ts'

/** An absent address is as malformed as an empty one: `invalid_email` is the code the client shows at the field. */
const Subscription = z.object({ email: z.string().nullish() })

export function subscribeRoute(app: App, { db, clock }: Dependencies): void {
  app.post('/newsletter', {
    config: { access: 'public' },
    schema: {
      tags: ['Newsletter'],
      summary: 'Subscribe to the newsletter',
      body: Subscription.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ body }): Promise<{ ok: true }> => {
      const email = requireEmail(body?.email ?? '')
      await transaction(db, (tx) => insertSubscriber(tx, email, clock.now()))
      return { ok: true }
    },
  })
}
