import type { App } from '@storefront/http'
import { ROLE_PERMISSIONS } from '@storefront/contracts'
import { AdminCredentials, signInAdmin } from '../admins/sign-in-admin.ts'
import type { IdentityContext } from '../context.ts'
import { CONSOLE_IDLE_MS, ConsoleSession, openConsoleSession, setConsoleCookie } from './console-session.ts'

export function openConsoleSessionRoute(app: App, context: IdentityContext): void {
  app.post('/admin/console/session', {
    config: { access: 'public', errors: ['invalid_credentials', 'missing_credentials', 'second_factor_required'] },
    schema: {
      summary: 'Sign in to the console, with a cookie in place of a token',
      description:
        'As `POST /admin/auth/login`, for pages of the shop itself: the token is in a cookie that no script can read. ' +
        'Requests with it need the header `x-console: 1`. It expires after 30 minutes without a renewal, and after ' +
        '12 hours in any case.',
      body: AdminCredentials.nullish(),
      response: { 200: ConsoleSession },
    },
    handler: async (request, reply) => {
      const { opened, user } = await signInAdmin(context, request, request.body, (tx, { id, role }, at) =>
        openConsoleSession(tx, context, { userId: id, permissions: ROLE_PERMISSIONS[role] }, at),
      )
      setConsoleCookie(request, reply, context.publicUrl, { token: opened.token, maxAgeMs: CONSOLE_IDLE_MS })
      return { user, idleUntil: opened.idleUntil.toISOString(), expiresAt: opened.expiresAt.toISOString() }
    },
  })
}
