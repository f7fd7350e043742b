import { sql } from 'kysely'
import type { Connection, Tx } from '../database.ts'
import { accountGone } from '../errors.ts'

/** The account as it is kept, the password aside. @throws Refusal `unauthenticated` when the account is gone */
export async function readAccount(connection: Connection, customerId: string) {
  const account = await connection
    .selectFrom('customers')
    .select([
      'id',
      'email',
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

export async function listSessions(connection: Connection, customerId: string) {
  return connection
    .selectFrom('sessions')
    .select(['created_at as createdAt', 'expires_at as expiresAt', 'revoked_at as endedAt'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .execute()
}

export async function findSubscription(connection: Connection, email: string) {
  return connection
    .selectFrom('newsletter_subscribers')
    .select(['email', 'subscribed_at as subscribedAt', 'confirmed_at as confirmedAt'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

/**
 * Takes the account's address off the newsletter. A subscription that was confirmed stays when the account never showed
 * that the address is its own: it may be somebody else's.
 */
export async function deleteSubscription(
  tx: Tx,
  { email, isVerified }: { email: string; isVerified: boolean },
): Promise<void> {
  let subscription = tx.deleteFrom('newsletter_subscribers').where(sql`lower(email)`, '=', sql`lower(${email})`)
  if (!isVerified) subscription = subscription.where('confirmed_at', 'is', null)
  await subscription.execute()
}
