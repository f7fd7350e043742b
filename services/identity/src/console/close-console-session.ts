import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { IdentityContext } from '../context.ts'
import { revokeAllAdminSessions, revokeSession } from '../sessions/sessions.queries.ts'
import { setConsoleCookie } from './console-session.ts'

export function closeConsoleSessionRoute(app: App, context: IdentityContext): void {
  const { db, tokens, revocations, verifyActor, clock, publicUrl } = context
  app.delete('/admin/console/session', {
    // Public: a console without a valid session is already signed out, and its cookie must go nevertheless.
    config: { access: 'public' },
    schema: {
      summary: 'Sign out of the console',
      description: 'Ends the session and deletes the cookie. Without a session the response is the same.',
      querystring: z.object({
        everywhere: z
          .enum(['true', 'false'])
          .optional()
          .describe('`true` also ends all other sessions of the same user, on every device.'),
      }),
      response: { 200: Ok },
    },
    handler: async (request, reply): Promise<{ ok: true }> => {
      const { actor } = request
      const origin = originOf(request, verifyActor)
      const everywhere = request.query.everywhere === 'true'
      const ended = await transaction(db, async (tx) => {
        const at = clock.now()
        // The token takes precedence over the actor, as for customers. The gateway sends it as a bearer only here.
        const sessionOfToken = await tokens.sessionOf(tx, request.headers.authorization, 'console', at)
        const sessionId = sessionOfToken ?? (actor.kind === 'admin' ? actor.sessionId : undefined)
        const own = sessionId === undefined ? [] : await revokeSession(tx, 'admin', sessionId, at)
        const userId = own[0]?.admin_user_id ?? undefined
        if (userId === undefined) return own
        const others = everywhere ? await revokeAllAdminSessions(tx, userId, at) : []
        const fields = everywhere ? ['everywhere'] : []
        await recordAudit(tx, { action: 'sign_out', actor: userId, subject: userId, fields, origin, at })
        return [...own, ...others]
      })
      await revocations.share(ended)
      setConsoleCookie(request, reply, publicUrl, undefined)
      return { ok: true }
    },
  })
}
