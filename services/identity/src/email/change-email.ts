import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { Ok } from '@storefront/contracts'
import { Credentials, requireCredentials, requireEmail } from '../accounts/account.ts'
import { findPassword, lockAccount } from '../accounts/accounts.queries.ts'
import { checkOwnPassword } from '../accounts/check-own-password.ts'
import type { IdentityContext } from '../context.ts'
import { requestConfirmation } from '../confirmations/request-confirmation.ts'
import { EMAIL_CHANGES, isWithinLimits, LIMITS_LOOK_BACK_MS } from '../confirmations/confirmation.ts'
import { listRequestTimes } from '../confirmations/confirmations.queries.ts'
import { emailTaken, tooManyMails, wrongPassword } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'

const EmailChange = Credentials.extend({
  email: Credentials.shape.email.describe('The new address, which the link is sent to.'),
  password: Credentials.shape.password.describe('The current password: a device left signed in is not enough.'),
})

export function changeEmailRoute(app: App, context: IdentityContext): void {
  const { db, clock, verifyActor } = context
  app.post('/auth/email/change', {
    config: {
      access: 'customer',
      errors: ['email_taken', 'invalid_credentials', 'invalid_email', 'missing_credentials'],
    },
    schema: {
      summary: 'Request a change of the email address',
      description: 'The address changes when the link in the mail to the new one is opened.',
      body: EmailChange.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { actor, body } = request
      const given = requireCredentials(body)
      const email = requireEmail(given.email)
      const customerId = customerIdOf(actor)
      const senders = clientKeysOf({ customerId, network: networkOf(request, verifyActor) })
      const passwordHash = await checkOwnPassword(context, customerId, given.password)
      await transaction(db, async (tx) => {
        const account = await lockAccount(tx, customerId)
        // The password was changed during the check.
        if (account.password_hash !== passwordHash) throw wrongPassword()
        const holder = await findPassword(tx, email.canonical)
        // The account's own address in another spelling belongs to no other account.
        if (holder && holder.id !== customerId) throw emailTaken()
        const now = clock.now()
        const requestedAt = await listRequestTimes(
          tx,
          customerId,
          'emailChange',
          new Date(now.getTime() - LIMITS_LOOK_BACK_MS),
        )
        if (!isWithinLimits(EMAIL_CHANGES, requestedAt, now)) throw tooManyMails()
        const mail = { purpose: 'emailChange', email, customer: account, senders } as const
        const isRequested = await requestConfirmation(tx, mail, now)
        if (!isRequested) throw tooManyMails()
      })
      return { ok: true }
    },
  })
}
