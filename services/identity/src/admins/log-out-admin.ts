import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { revokeSession } from '../sessions/sessions.queries.ts'

export function logOutAdminRoute(app: App, { db, tokens, revocations, clock }: Dependencies): void {
  app.post('/admin/auth/logout', {
    // Public: whoever has no valid session any more is signed out already.
    config: { access: 'public' },
    schema: { tags: ['Admin: sign-in'], summary: 'Sign out everywhere', response: { 200: Ok } },
    handler: async ({ actor, headers }): Promise<{ ok: true }> => {
      const revoked = await transaction(db, async (tx) => {
        const now = clock.now()
        // The token before the actor, as for customers; a secret key has no session to end.
        const named = await tokens.sessionOf(tx, headers.authorization, 'admin', now)
        const sessionId = named ?? (actor.kind === 'admin' ? actor.sessionId : undefined)
        return sessionId === undefined ? [] : revokeSession(tx, 'admin', sessionId, now)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
