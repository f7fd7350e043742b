import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { toAdminUser } from '../admins/admin.ts'
import { findAdmin } from '../admins/admins.queries.ts'
import type { IdentityContext } from '../context.ts'
import { accountGone } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { sessionEndsAt } from '../sessions/sessions.queries.ts'
import { ConsoleSession, issueConsoleToken, setConsoleCookie } from './console-session.ts'

export function renewConsoleSessionRoute(app: App, context: IdentityContext): void {
  app.post('/admin/console/session/renew', {
    config: { access: 'admin-user' },
    schema: {
      summary: 'Stay signed in to the console',
      description:
        'Sets the cookie again, for another 30 minutes, but not beyond the end of the session. The console sends it ' +
        'while a person uses it.',
      response: { 200: ConsoleSession },
    },
    handler: async (request, reply) => {
      const person = adminPersonOf(request.actor)
      const { user, renewed, at } = await transaction(context.db, async (tx) => {
        const at = context.clock.now()
        const expiresAt = await sessionEndsAt(tx, person.sessionId, at)
        const user = await findAdmin(tx, person.userId)
        if (!expiresAt || !user || user.disabled_at) throw accountGone()
        return { user, renewed: await issueConsoleToken(tx, context, { ...person, expiresAt }, at), at }
      })
      const maxAgeMs = renewed.idleUntil.getTime() - at.getTime()
      setConsoleCookie(request, reply, context.publicUrl, { token: renewed.token, maxAgeMs })
      return {
        user: toAdminUser(user),
        idleUntil: renewed.idleUntil.toISOString(),
        expiresAt: renewed.expiresAt.toISOString(),
      }
    },
  })
}
