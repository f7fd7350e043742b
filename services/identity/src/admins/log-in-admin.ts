import type { App } from '@storefront/http'
import { ROLE_PERMISSIONS, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { openSession } from '../sessions/open-session.ts'
import { AdminUser } from './admin.ts'
import { AdminCredentials, signInAdmin } from './sign-in-admin.ts'

const Admission = z
  .object({
    token: z.string().describe('Send it as `Authorization: Bearer <token>` with requests below /admin.'),
    expiresAt: Timestamp.describe('When the token expires, 12 hours from now.'),
    user: AdminUser.describe('The user that the token belongs to.'),
  })
  .meta({ id: 'AdminSignedIn' })

export function logInAdminRoute(app: App, context: IdentityContext): void {
  app.post('/admin/auth/login', {
    config: { access: 'public', errors: ['invalid_credentials', 'missing_credentials', 'second_factor_required'] },
    schema: {
      summary: 'Sign in as an admin, with `email` or `username`, which both take the email address',
      description:
        'Opens a session of 12 hours. A user whose second factor is on must send a `code` as well; without one the ' +
        'error is `second_factor_required`.',
      body: AdminCredentials.nullish(),
      response: { 200: Admission },
    },
    handler: async (request) => {
      const { opened, user } = await signInAdmin(context, request, request.body, (tx, { id, role }, at) =>
        openSession(tx, context.tokens, { kind: 'admin', adminUserId: id, permissions: ROLE_PERMISSIONS[role] }, at),
      )
      return { token: opened.token, expiresAt: opened.expiresAt.toISOString(), user }
    },
  })
}
