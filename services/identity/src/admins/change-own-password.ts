import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { countKeysOf, endKeysOf } from '../api-keys/end-keys.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { missingPasswords } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { ADMIN_PASSWORD_RULE, requireStrongAdminPassword } from './admin.ts'
import { updateAdmin } from './admins.queries.ts'
import { KeysAfter, keysAfter, RevokeKeys } from './keys-of-admin.ts'
import { ReauthenticationFields, reauthenticateByCode, reauthenticateByPassword } from './re-authenticate.ts'

const PasswordChange = z.object({
  ...ReauthenticationFields.shape,
  newPassword: z.string().nullish().describe(ADMIN_PASSWORD_RULE),
  revokeKeys: RevokeKeys,
})
const Changed = Ok.extend(KeysAfter.shape)

export function changeOwnPasswordRoute(app: App, context: IdentityContext): void {
  const { db, passwords, revocations, verifyActor, clock } = context
  app.post('/admin/auth/password', {
    config: { access: 'admin-user', errors: ['invalid_credentials', 'missing_credentials', 'weak_password'] },
    schema: {
      summary: 'Change your own password, which ends all other sessions',
      description:
        'Requires the current password, and a `code` if the second factor is on. Ends all other sessions of the admin user; ' +
        "the one that sends the request stays open. With `revokeKeys` the user's secret keys are revoked as well.",
      body: PasswordChange.nullish(),
      response: { 200: Changed },
    },
    handler: async (request): Promise<z.output<typeof Changed>> => {
      const { userId, sessionId } = adminPersonOf(request.actor)
      const { newPassword, revokeKeys, ...fields } = request.body ?? {}
      if (!fields.currentPassword || !newPassword) throw missingPasswords()
      const operation = { action: 'change_password', origin: originOf(request, verifyActor) } as const
      const person = await reauthenticateByPassword(context, request.actor, fields, operation)
      requireStrongAdminPassword(newPassword)
      const passwordHash = await passwords.hash(newPassword)
      const result = await transaction(db, async (tx) => {
        const at = clock.now()
        const error = await reauthenticateByCode(tx, person, context, at)
        if (error) return { error }
        await updateAdmin(tx, userId, { password_hash: passwordHash })
        await recordAudit(tx, { ...operation, actor: userId, subject: userId, at })
        const keys = revokeKeys
          ? await endKeysOf(tx, userId, 'password_changed', { actor: userId, origin: operation.origin, at })
          : { revoked: [], left: await countKeysOf(tx, userId, at) }
        return { ended: await revokeAllAdminSessions(tx, userId, at, { except: sessionId }), keys }
      })
      if (result.error) throw result.error
      await revocations.share(result.ended)
      await revocations.shareApiKeys(result.keys.revoked)
      return { ok: true, ...keysAfter(result.keys) }
    },
  })
}
