import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { revokeSession, revokeSessionsOfSameCustomer } from '../sessions/sessions.queries.ts'

const Choice = z.object({
  everywhere: z.boolean().optional().describe('True ends every session of the customer, on all devices.'),
})

export function logOutRoute(app: App, { db, tokens, revocations, clock }: IdentityContext): void {
  app.post('/auth/logout', {
    // Public: a client without a valid session is already signed out.
    config: { access: 'public' },
    schema: {
      summary: 'Sign out',
      description:
        'Ends the session of the token that is sent. Without a token, or with one that has ended, the response is the ' +
        'same.',
      body: Choice.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ actor, headers, body }): Promise<{ ok: true }> => {
      const revoked = await transaction(db, async (tx) => {
        const now = clock.now()
        // The token takes precedence over the actor: without Redis and NATS the gateway treats every caller as
        // anonymous, and a logout must not be lost. The token can end only its own session.
        const sessionOfToken = await tokens.sessionOf(tx, headers.authorization, 'customer', now)
        const sessionId = sessionOfToken ?? (actor.kind === 'customer' ? actor.sessionId : undefined)
        if (sessionId === undefined) return []
        if (body?.everywhere === true) return revokeSessionsOfSameCustomer(tx, sessionId, now)
        return revokeSession(tx, 'customer', sessionId, now)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
