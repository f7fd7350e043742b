import { transaction, type App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { missingPasswords } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { ADMIN_PASSWORD_RULE, requireStrongAdminPassword } from './admin.ts'
import { updateAdmin } from './admins.queries.ts'
import { checkOwnPassword, lockChecked } from './check-own-password.ts'

const PasswordChange = z.object({
  currentPassword: z.string().nullish().describe('The password until now.'),
  newPassword: z.string().nullish().describe(ADMIN_PASSWORD_RULE),
})

export function changeOwnPasswordRoute(app: App, dependencies: Dependencies): void {
  const { db, passwords, revocations, verifyActor, clock } = dependencies
  app.post('/admin/auth/password', {
    config: { access: 'admin-user', errors: ['invalid_credentials', 'missing_credentials', 'weak_password'] },
    schema: {
      tags: ['Admin: sign-in'],
      summary: 'Change the own password, which signs out everywhere else',
      description: 'Ends all other sessions of the admin user; the one that sends the request goes on.',
      body: PasswordChange.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { userId, sessionId } = adminPersonOf(request.actor)
      const { currentPassword, newPassword } = request.body ?? {}
      if (!currentPassword || !newPassword) throw missingPasswords()
      const doing = { action: 'change_password', origin: originOf(request, verifyActor) } as const
      const checked = await checkOwnPassword(dependencies, userId, currentPassword, doing)
      requireStrongAdminPassword(newPassword)
      const passwordHash = await passwords.hash(newPassword)
      const ended = await transaction(db, async (tx) => {
        const at = clock.now()
        await lockChecked(tx, checked)
        await updateAdmin(tx, userId, { passwordHash })
        await recordAudit(tx, { ...doing, actor: userId, subject: userId, at })
        return revokeAllAdminSessions(tx, userId, at, sessionId)
      })
      await revocations.share(ended)
      return { ok: true }
    },
  })
}
