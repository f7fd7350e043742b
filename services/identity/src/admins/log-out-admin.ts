import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { revokeAllAdminSessions, revokeSession } from '../sessions/sessions.queries.ts'

export function logOutAdminRoute(app: App, { db, tokens, revocations, clock }: Dependencies): void {
  app.post('/admin/auth/logout', {
    // Public: whoever has no valid session any more is signed out already.
    config: { access: 'public' },
    schema: { tags: ['Admin: sign-in'], summary: 'Sign out everywhere', response: { 200: Ok } },
    handler: async ({ actor, headers }): Promise<{ ok: true }> => {
      const revoked = await transaction(db, async (tx) => {
        const now = clock.now()
        const named = await tokens.sessionOf(tx, headers.authorization, 'admin', now)
        if (named !== undefined) return revokeSession(tx, 'admin', named, now)
        // The actor of an admin does not name the session: a logout that ends too much is better than one that ends
        // nothing.
        return actor.kind === 'admin' ? revokeAllAdminSessions(tx, actor.userId, now) : []
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
