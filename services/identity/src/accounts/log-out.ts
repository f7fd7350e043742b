import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { revokeSession } from '../sessions/sessions.queries.ts'

export function logOutRoute(app: App, { db, tokens, revocations, clock }: Dependencies): void {
  app.post('/auth/logout', {
    // Public: whoever has no valid session any more is signed out already.
    config: { access: 'public' },
    schema: { tags: ['Account'], summary: 'Sign out everywhere', response: { 200: Ok } },
    handler: async ({ actor, headers }): Promise<{ ok: true }> => {
      const revoked = await transaction(db, async (tx) => {
        const now = clock.now()
        // The token before the actor: a gateway that can reach neither Redis nor NATS takes everybody for a visitor,
        // and a logout must not be lost to that. It is signed by this service and can end nothing but itself.
        const named = await tokens.sessionOf(tx, headers.authorization, 'customer', now)
        const sessionId = named ?? (actor.kind === 'customer' ? actor.sessionId : undefined)
        return sessionId === undefined ? [] : revokeSession(tx, 'customer', sessionId, now)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
