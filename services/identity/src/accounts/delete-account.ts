import { publish, publishAll } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { CustomerDeleted, MailRequested, Ok, WishlistRemoved } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { accountGone, missingPassword, wrongPassword } from '../errors.ts'
import { deleteNewsletterRequests } from '../newsletter/newsletter-requests.queries.ts'
import { deleteResetRequests } from '../passwords/reset-requests.queries.ts'
import { deleteNewsletterLinks, deleteSubscription } from '../personal-data/personal-data.queries.ts'
import { customerIdOf } from '../sessions/caller.ts'
import type { Revoked } from '../sessions/revoked.ts'
import { endCustomerSessions } from '../sessions/sessions.queries.ts'
import { deleteAllEntries } from '../wishlist/wishlist.queries.ts'
import { deleteCustomer, lockAccountToDelete } from './accounts.queries.ts'
import { checkOwnPassword } from './check-own-password.ts'

/** Deletes the account for good. The password is required again: a device left signed in must not be enough. */
export function deleteAccountRoute(app: App, context: IdentityContext): void {
  const { db, revocations, clock } = context
  app.delete('/me', {
    config: { access: 'customer', errors: ['invalid_credentials', 'missing_credentials'] },
    schema: {
      tags: ['Account'],
      summary: 'Delete the account with its data',
      description:
        'Deletes the account, its address book, wishlist and sessions for good. Orders stay in the records of the ' +
        'shop and are visible only to the merchant: access tokens, links in mails and lookups no longer open them. Mails about them ' +
        'are no longer sent. Published reviews stay without the name of their author.',
      // A missing password is an error of its own, `missing_credentials`, so the schema accepts it.
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
      const revoked = await transaction(db, (tx) => deleteAccount(tx, { customerId, passwordHash, at: clock.now() }))
      await revocations.share(revoked)
      return { ok: true }
    },
  })
}

/**
 * All at once, or nothing. The sessions stay, revoked and without a name, until their tokens have expired:
 * Redis may be down now, or lose its data later.
 * @returns the sessions that this call ended
 */
async function deleteAccount(
  tx: Tx,
  { customerId, passwordHash, at }: { customerId: string; passwordHash: string; at: Date },
): Promise<Revoked[]> {
  const account = await lockAccountToDelete(tx, customerId)
  if (!account) throw accountGone()
  // The password was changed during the comparison: the compared hash is outdated.
  if (account.password_hash !== passwordHash) throw wrongPassword()
  const wishes = await deleteAllEntries(tx, customerId)
  const removals = wishes.map(({ id, productId }) => ({ entryId: id, productId }))
  await publishAll(tx, WishlistRemoved, removals, at)
  const { email_canonical: canonical } = account
  const isVerified = account.email_verified_at !== null
  if (canonical !== null) await deleteKeptUnderAddress(tx, { canonical, isVerified })
  const revoked = await endCustomerSessions(tx, customerId, at)
  await deleteCustomer(tx, customerId)
  await publish(tx, CustomerDeleted, { customerId }, at)
  // An address that was never verified may belong to someone else.
  if (!isVerified || canonical === null) return revoked
  // Without the customer's id: data stored under it is deleted with the account, and this is the last mail to the
  // customer.
  const name = account.first_name === '' ? {} : { name: account.first_name }
  await publish(tx, MailRequested, { kind: 'accountDeleted', to: canonical, ...name }, at)
  return revoked
}

async function deleteKeptUnderAddress(tx: Tx, own: { canonical: string; isVerified: boolean }): Promise<void> {
  await deleteSubscription(tx, own)
  await deleteResetRequests(tx, own.canonical)
  if (!own.isVerified) return
  await deleteNewsletterLinks(tx, own.canonical)
  await deleteNewsletterRequests(tx, own.canonical)
}
