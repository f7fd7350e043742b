import { transaction, type App } from '@storefront/chassis'
import { newId, Ok } from '@storefront/contracts'
import { z } from 'zod'
import { requireEmail } from '../accounts/account.ts'
import type { Dependencies } from '../app.ts'
import { askForConfirmation } from '../confirmations/ask-for-confirmation.ts'
import { insertSubscriber } from './newsletter.queries.ts'

/** Anybody may type anybody's address: nobody gets more mails than this for it. */
const BETWEEN_MAILS_MS = 10 * 60_000

/** An absent address is as malformed as an empty one: `invalid_email` is the code the client shows at the field. */
const Subscription = z.object({ email: z.string().nullish() })

export function subscribeRoute(app: App, { db, clock }: Dependencies): void {
  app.post('/newsletter', {
    config: { access: 'public' },
    schema: {
      tags: ['Newsletter'],
      summary: 'Subscribe to the newsletter',
      description: 'The subscription counts when the link of the mail is opened. The answer is always the same.',
      body: Subscription.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ body }): Promise<{ ok: true }> => {
      const email = requireEmail(body?.email ?? '')
      const now = clock.now()
      const sentBefore = new Date(now.getTime() - BETWEEN_MAILS_MS)
      await transaction(db, async (tx) => {
        const due = await insertSubscriber(tx, { id: newId('subscriber'), email, now, sentBefore })
        if (due) await askForConfirmation(tx, { purpose: 'newsletter', email: due.email }, now)
      })
      return { ok: true }
    },
  })
}
