import { transaction, type App } from '@storefront/chassis'
import { ROLE_PERMISSIONS, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import { Credentials, requireCredentials } from '../accounts/account.ts'
import type { Dependencies } from '../app.ts'
import { invalidCredentials } from '../errors.ts'
import { openSession } from '../sessions/open-session.ts'
import { AdminUser, toAdminUser } from './admin.ts'
import { findAdminByEmail } from './admins.queries.ts'

export function logInAdminRoute(app: App, { db, passwords, tokens, clock }: Dependencies): void {
  app.post('/admin/auth/login', {
    config: { access: 'public' },
    schema: {
      tags: ['Admin: sign-in'],
      summary: 'Sign in as an admin',
      body: Credentials.nullish(),
      response: { 200: z.object({ token: z.string(), expiresAt: Timestamp, user: AdminUser }) },
    },
    handler: async ({ body }) => {
      const { email, password } = requireCredentials(body)
      const user = await findAdminByEmail(db, email)
      // Also without a user: the time of the answer must not tell whether there is one.
      const matches = await passwords.verify(user?.password_hash, password)
      if (!user || !matches) throw invalidCredentials()
      const permissions = ROLE_PERMISSIONS[user.role]
      const { token, expiresAt } = await transaction(db, (tx) =>
        openSession(tx, tokens, { kind: 'admin', adminUserId: user.id, permissions }, clock.now()),
      )
      return { token, expiresAt: expiresAt.toISOString(), user: toAdminUser(user) }
    },
  })
}
