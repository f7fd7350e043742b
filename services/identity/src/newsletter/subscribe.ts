import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { requireEmail } from '../accounts/account.ts'
import { insertMailRequest } from '../confirmations/mail-requests.queries.ts'
import type { IdentityContext } from '../context.ts'
import { tooManyWaiting } from '../errors.ts'

/** The schema accepts a missing address, because its error is `invalid_email`, which clients show at the field. */
const Subscription = z.object({
  email: z.string().nullish().describe('The address for newsletters; a link to confirm it is sent there first.'),
})

/**
 * Neither the response nor its time reveals who has the newsletter, because the route only inserts a row.
 * @param requestMade is called for each request, to wake `processNewsletterRequests`
 */
export function subscribeRoute(app: App, { db, clock, verifyActor }: IdentityContext, requestMade: () => void): void {
  app.post('/newsletter', {
    config: { access: 'public', errors: ['invalid_email'] },
    schema: {
      summary: 'Subscribe to the newsletter',
      description: 'The subscription starts when the link in the mail is opened. The response is always the same.',
      body: Subscription.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const email = requireEmail(request.body?.email ?? '')
      const senders = clientKeysOf({ network: networkOf(request, verifyActor) })
      const waiting = { email, senders, now: clock.now() }
      if (!(await insertMailRequest(db, 'newsletter_requests', waiting))) throw tooManyWaiting()
      requestMade()
      return { ok: true }
    },
  })
}
