import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { revokeSession } from '../sessions/sessions.queries.ts'

export function logOutAdminRoute(app: App, { db, tokens, revocations, verifyActor, clock }: IdentityContext): void {
  app.post('/admin/auth/logout', {
    // Public: a client without a valid session is already signed out.
    config: { access: 'public' },
    schema: {
      summary: 'Sign out',
      description:
        'Ends the admin session of the token that is sent. Without a token, or with one that has ended, the response ' +
        'is the same.',
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { actor, headers } = request
      const origin = originOf(request, verifyActor)
      const revoked = await transaction(db, async (tx) => {
        const at = clock.now()
        // The token takes precedence over the actor, as for customers; a secret key has no session to end.
        const sessionOfToken = await tokens.sessionOf(tx, headers.authorization, 'admin', at)
        const sessionId = sessionOfToken ?? (actor.kind === 'admin' ? actor.sessionId : undefined)
        const ended = sessionId === undefined ? [] : await revokeSession(tx, 'admin', sessionId, at)
        const userId = ended[0]?.admin_user_id ?? undefined
        if (ended.length > 0) {
          await recordAudit(tx, { action: 'sign_out', actor: userId, subject: userId, origin, at })
        }
        return ended
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
