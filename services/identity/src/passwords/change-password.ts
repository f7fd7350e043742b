import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { lockAccount } from '../accounts/accounts.queries.ts'
import { checkOwnPassword } from '../accounts/check-own-password.ts'
import type { IdentityContext } from '../context.ts'
import { missingPasswords, wrongPassword } from '../errors.ts'
import { customerIdOf, sessionIdOf } from '../sessions/caller.ts'
import { revokeAllCustomerSessions } from '../sessions/sessions.queries.ts'
import { PASSWORD_RULE, requireStrongPassword } from './password.ts'
import { replacePassword } from './replace-password.ts'

const Change = z.object({
  currentPassword: z.string().nullish().describe('The current password.'),
  newPassword: z.string().nullish().describe(PASSWORD_RULE),
})

export function changePasswordRoute(app: App, context: IdentityContext): void {
  const { db, passwords, revocations, clock } = context
  app.post('/auth/password/change', {
    config: { access: 'customer', errors: ['invalid_credentials', 'missing_credentials', 'weak_password'] },
    schema: {
      summary: 'Change the password',
      description: 'Ends all other sessions of the customer.',
      body: Change.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ actor, body }): Promise<{ ok: true }> => {
      const { currentPassword, newPassword } = body ?? {}
      if (!currentPassword || !newPassword) throw missingPasswords()
      requireStrongPassword(newPassword)
      const customerId = customerIdOf(actor)
      const currentHash = await checkOwnPassword(context, customerId, currentPassword)
      const passwordHash = await passwords.hash(newPassword)
      const revoked = await transaction(db, async (tx) => {
        const account = await lockAccount(tx, customerId)
        // A concurrent change has already replaced the password that was checked.
        if (account.password_hash !== currentHash) throw wrongPassword()
        const now = clock.now()
        await replacePassword(tx, account, passwordHash, now)
        return revokeAllCustomerSessions(tx, customerId, now, { except: sessionIdOf(actor) })
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
