import { publish } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { CustomerVerified, Ok } from '@storefront/contracts'
import { z } from 'zod'
import { findUnprovenPassword, markVerified, unprovenPasswordOf } from '../accounts/accounts.queries.ts'
import { emptyAccount } from '../accounts/empty-account.ts'
import type { IdentityContext } from '../context.ts'
import { requireOpenConfirmation, useConfirmation } from '../confirmations/use-confirmation.ts'
import { invalidToken, missingNewPassword } from '../errors.ts'
import { revokeAllCustomerSessions } from '../sessions/sessions.queries.ts'
import { PASSWORD_RULE, requireStrongPassword } from './password.ts'
import { replacePassword } from './replace-password.ts'

const NewPassword = z.object({
  token: z.string().nullish().describe('From the link in the mail, which works once and for an hour.'),
  password: z.string().nullish().describe(PASSWORD_RULE),
})

export function resetPasswordRoute(app: App, context: IdentityContext): void {
  const { db, passwords, links, revocations, clock } = context
  app.post('/auth/password/reset', {
    config: { access: 'public', errors: ['invalid_token', 'missing_credentials', 'weak_password'] },
    schema: {
      summary: 'Set a new password with the link in a mail',
      description:
        'Ends all sessions of the customer, and verifies the address. If the address was never verified before, another person ' +
        'may have registered it: name, phone, address book, wishlist, cart and marketing choice are then deleted, ' +
        'unless the new password is the one that the account was registered with.',
      body: NewPassword.nullish(),
      response: { 200: Ok },
    },
    handler: async ({ body }): Promise<{ ok: true }> => {
      const { token, password } = body ?? {}
      if (!token || !password) throw missingNewPassword()
      requireStrongPassword(password)
      const link = links.read(token, ['passwordReset'])
      // Also checked before the transaction, so that an invalid link causes no hashing.
      const { customer_id: customerId } = await requireOpenConfirmation(db, link, clock.now())
      const registeredHash = customerId === null ? undefined : await findRegistration(context, customerId, password)
      const passwordHash = await passwords.hash(password)
      const revoked = await transaction(db, async (tx) => {
        const { account, email, now } = await useConfirmation(tx, link, clock)
        if (account.email_canonical !== email.canonical) throw invalidToken()
        // The person who opened the link reads the mails of this address.
        await markVerified(tx, account.id, now)
        const isOwn = account.email_verified_at !== null || unprovenPasswordOf(account) === registeredHash
        const kept = isOwn ? account : await emptyAccount(tx, account, now)
        await replacePassword(tx, { ...kept, email_verified_at: account.email_verified_at ?? now }, passwordHash, now)
        await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
        return revokeAllCustomerSessions(tx, account.id, now)
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}

/**
 * Whether the person at the mailbox is the one who registered: they know the password of the registration.
 * @returns its hash, to be compared again under the account's lock
 */
async function findRegistration(
  { db, passwords }: IdentityContext,
  customerId: string,
  password: string,
): Promise<string | undefined> {
  const registered = await findUnprovenPassword(db, customerId)
  if (registered === undefined) return undefined
  return (await passwords.verify(registered, password)) ? registered : undefined
}
