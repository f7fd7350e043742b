import type { Connection, Tx } from '../database.ts'
import { accountGone } from '../errors.ts'

/** The stored account without the password. @throws HttpError `unauthenticated` when the account is gone */
export async function readAccount(connection: Connection, customerId: string) {
  const account = await connection
    .selectFrom('customers')
    .select([
      'id',
      'email',
      'email_canonical as canonical',
      'first_name as firstName',
      'last_name as lastName',
      'phone',
      'marketing_opt_in as marketingOptIn',
      'email_verified_at as emailVerifiedAt',
      'created_at as createdAt',
    ])
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!account) throw accountGone()
  return account
}

export async function listWishes(connection: Connection, customerId: string) {
  return connection
    .selectFrom('wishlist_entries')
    .select(['slug', 'product_id as productId', 'saved_at as savedAt'])
    .where('customer_id', '=', customerId)
    .orderBy('position', 'desc')
    .execute()
}

/** The open sessions, and the latest `latest` of all. */
export async function listSessions(
  connection: Connection,
  customerId: string,
  { now, latest }: { now: Date; latest: number },
) {
  const own = connection.selectFrom('sessions').selectAll().where('customer_id', '=', customerId)
  const open = own.where('revoked_at', 'is', null).where('expires_at', '>', now)
  const newest = own.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(latest)
  return connection
    .selectFrom(open.union((all) => all.parens(newest)).as('listed'))
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'revoked_at as endedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function findSubscription(connection: Connection, canonical: string) {
  return connection
    .selectFrom('newsletter_subscribers')
    .select(['email', 'subscribed_at as subscribedAt', 'confirmed_at as confirmedAt'])
    .where('email_canonical', '=', canonical)
    .executeTakeFirst()
}

/** Deletes links that confirm a subscription of this address: they belong to no account. */
export async function deleteNewsletterLinks(tx: Tx, canonical: string): Promise<void> {
  await tx
    .deleteFrom('confirmations')
    .where('purpose', '=', 'newsletter')
    .where('email_canonical', '=', canonical)
    .execute()
}

/**
 * Removes the account's address from the newsletter. A confirmed subscription stays if the account's address was never
 * verified: it may belong to another person.
 */
export async function deleteSubscription(
  tx: Tx,
  { canonical, isVerified }: { canonical: string; isVerified: boolean },
): Promise<void> {
  let subscription = tx.deleteFrom('newsletter_subscribers').where('email_canonical', '=', canonical)
  if (!isVerified) subscription = subscription.where('confirmed_at', 'is', null)
  await subscription.execute()
}
