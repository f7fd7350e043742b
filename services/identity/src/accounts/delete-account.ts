import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { accountGone, missingPassword, wrongPassword } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { lockAccountToDelete } from './accounts.queries.ts'
import { checkOwnPassword } from './check-own-password.ts'
import { deleteData } from './delete-data.ts'

/** Deletes the account permanently. The password is required again: a device left signed in must not be enough. */
export function deleteAccountRoute(app: App, context: IdentityContext): void {
  const { db, revocations, clock } = context
  app.delete('/me', {
    config: { access: 'customer', errors: ['invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Delete the account with its data',
      description:
        'Deletes the account, its address book, wishlist and sessions for good. Orders stay in the records of the ' +
        'shop and are visible only to the merchant: access tokens, links in mails and lookups no longer open them. Mails about them ' +
        'are no longer sent. Published reviews stay without the name of their author.',
      // The schema accepts a missing password, because its error is `missing_credentials`.
      body: z
        .object({
          password: z.string().nullish().describe('The current password: a device left signed in is not enough.'),
        })
        .nullish(),
      response: { 200: Ok },
    },
    handler: async ({ actor, body }): Promise<{ ok: true }> => {
      const customerId = customerIdOf(actor)
      if (!body?.password) throw missingPassword()
      const passwordHash = await checkOwnPassword(context, customerId, body.password)
      const revoked = await transaction(db, async (tx) => {
        const account = await lockAccountToDelete(tx, customerId)
        if (!account) throw accountGone()
        // The password was changed during the comparison.
        if (account.password_hash !== passwordHash) throw wrongPassword()
        return deleteData(tx, account, clock.now())
      })
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}
