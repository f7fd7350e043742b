import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { requireEmail } from '../accounts/account.ts'
import { insertMailRequest } from '../confirmations/mail-requests.queries.ts'
import type { IdentityContext } from '../context.ts'
import { tooManyWaiting } from '../errors.ts'

const ForgottenPassword = z.object({
  email: z.string().nullish().describe('Email address of the account; a link is sent only if there is one.'),
})

/**
 * Neither the response nor its time reveals whether there is an account, because the route only inserts a row.
 * @param requestMade is called for each request, to wake `processResetRequests`
 */
export function forgotPasswordRoute(
  app: App,
  { db, clock, verifyActor }: IdentityContext,
  requestMade: () => void,
): void {
  app.post('/auth/password/forgot', {
    config: { access: 'public', errors: ['invalid_email'] },
    schema: {
      summary: 'Send a link for a new password',
      description: 'The response is the same whether there is an account or not.',
      body: ForgottenPassword.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const email = requireEmail(request.body?.email ?? '')
      const senders = clientKeysOf({ network: networkOf(request, verifyActor) })
      const waiting = { email, senders, now: clock.now() }
      if (!(await insertMailRequest(db, 'password_reset_requests', waiting))) throw tooManyWaiting()
      requestMade()
      return { ok: true }
    },
  })
}
