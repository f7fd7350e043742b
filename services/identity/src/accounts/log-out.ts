import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { revokeSession, revokeSessionsBeside } from '../sessions/sessions.queries.ts'

const Choice = z.object({
  everywhere: z.boolean().optional().describe('True ends every session of the customer, on all devices.'),
})

export function logOutRoute(app: App, { db, tokens, revocations, clock }: Dependencies): void {
  app.post('/auth/logout', {
    // Public: whoever has no valid session any more is signed out already.
    config: { access: 'public' },
    schema: {
      tags: ['Account'],
      summary: 'Sign out',
      description:
        'Ends the session of the token that is sent. Without a token, or with one that has ended, the reply is the ' +
        'same.',
      body: Choice.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ actor, headers, body }): Promise<{ ok: true }> => {
      const revoked = await transaction(db, async (tx) => {
        const now = clock.now()
        // The token before the actor: a gateway that can reach neither Redis nor NATS takes everybody for a visitor,
        // and a logout must not be lost to that. It is signed by this service and can end nothing but itself.
        const named = await tokens.sessionOf(tx, headers.authorization, 'customer', now)
        const sessionId = named ?? (actor.kind === 'customer' ? actor.sessionId : undefined)
        if (sessionId === undefined) return []
        if (body?.everywhere === true) return revokeSessionsBeside(tx, sessionId, now)
        return revokeSession(tx, 'customer', sessionId, now)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
