import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { markUsed } from '../confirmations/confirmations.queries.ts'
import { requireOpenConfirmation } from '../confirmations/use-confirmation.ts'
import { invalidToken } from '../errors.ts'
import { confirmSubscriber } from './newsletter.queries.ts'

export function confirmSubscriptionRoute(app: App, { db, links, clock }: IdentityContext): void {
  app.post('/newsletter/confirm', {
    config: { access: 'public', errors: ['invalid_token'] },
    schema: {
      summary: 'Confirm a subscription with the link in the mail',
      description:
        'From here on newsletters may be sent to the address. A link that was used, has expired or was forged is ' +
        '`invalid_token`.',
      body: z
        .object({ token: z.string().nullish().describe('From the link in the mail, which works once and for 7 days.') })
        .nullish(),
      response: { 200: Ok },
    },
    handler: async ({ body }): Promise<{ ok: true }> => {
      const link = links.read(body?.token, ['newsletter'])
      await transaction(db, async (tx) => {
        const now = clock.now()
        const { email_canonical: canonical } = await requireOpenConfirmation(tx, link, now)
        // A subscriber who has unsubscribed in the meantime stays unsubscribed.
        const isConfirmed = canonical !== null && (await confirmSubscriber(tx, canonical, now))
        if (!isConfirmed || !(await markUsed(tx, link.id, now))) throw invalidToken()
      })
      return { ok: true }
    },
  })
}
