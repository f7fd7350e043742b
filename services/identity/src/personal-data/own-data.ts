import { snapshot } from '@storefront/postgres'
import { CustomerAddress, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import { listAddresses } from '../addresses/addresses.queries.ts'
import type { Database } from '../database.ts'
import { findSubscription, listSessions, listWishes, readAccount } from './personal-data.queries.ts'

/** Ended sessions are kept for up to a month, and a customer who signs in often has many of them. */
const LATEST_SESSIONS = 100

/** This service's own data about a customer, without anything that gives access. */
export const OwnData = z.object({
  account: z
    .object({
      id: z.string().describe('Id of the customer in all records of the shop.'),
      email: z.string().describe('The address for signing in.'),
      firstName: z.string().describe('Given name; may be empty.'),
      lastName: z.string().describe('Family name; may be empty.'),
      phone: z.string().optional().describe('Missing when none is stored.'),
      marketingOptIn: z.boolean().describe('Whether the customer agrees to marketing.'),
      emailVerifiedAt: Timestamp.optional().describe('When the email address was verified; missing until then.'),
      createdAt: Timestamp.describe('When the account was created.'),
    })
    .describe('The account itself; the password is stored only as a hash, which is not shown.'),
  addresses: z.array(CustomerAddress).describe('The address book.'),
  wishlist: z
    .array(
      z.object({
        slug: z.string().describe('Slug of the product when it was saved.'),
        productId: z.string().describe('Id of the product, whatever its current slug is.'),
        savedAt: Timestamp.describe('When the customer saved it.'),
      }),
    )
    .describe('Saved products, latest first, including those that are not published at the moment.'),
  newsletter: z
    .object({
      email: z.string().describe('The address for newsletters.'),
      subscribedAt: Timestamp.describe('When the address was first entered.'),
      confirmedAt: Timestamp.optional().describe('When the link in the mail was opened; missing until then.'),
    })
    .nullable()
    .describe('The subscription of the account’s address, once that is verified; null when there is none.'),
  sessions: z
    .array(
      z.object({
        createdAt: Timestamp.describe('When the customer signed in.'),
        expiresAt: Timestamp.describe('When the session expires.'),
        endedAt: Timestamp.optional().describe('When it was ended before that; missing when it was not.'),
      }),
    )
    .describe(`The open ones, and the latest ${LATEST_SESSIONS} of all.`),
})
export type OwnData = z.output<typeof OwnData>

/**
 * @returns the data, and the verified address in canonical form if there is one
 * @throws HttpError `unauthenticated` when the account is gone
 */
export async function readOwnData(
  db: Database,
  customerId: string,
  now: Date,
): Promise<{ own: OwnData; verifiedEmail: string | undefined }> {
  return snapshot(db, async (connection) => {
    const { phone, emailVerifiedAt, createdAt, canonical, ...account } = await readAccount(connection, customerId)
    const addresses = await listAddresses(connection, customerId)
    const wishes = await listWishes(connection, customerId)
    const sessions = await listSessions(connection, customerId, { now, latest: LATEST_SESSIONS })
    // Data of the address is included only if it is verified: otherwise it may be another person's address.
    const verifiedEmail = emailVerifiedAt === null || canonical === null ? undefined : canonical
    const subscription = verifiedEmail === undefined ? undefined : await findSubscription(connection, verifiedEmail)
    const own: OwnData = {
      account: {
        ...account,
        ...(phone === null ? {} : { phone }),
        ...(emailVerifiedAt === null ? {} : { emailVerifiedAt: emailVerifiedAt.toISOString() }),
        createdAt: createdAt.toISOString(),
      },
      addresses,
      wishlist: wishes.map(({ savedAt, ...wish }) => ({ ...wish, savedAt: savedAt.toISOString() })),
      newsletter: subscription
        ? {
            email: subscription.email,
            subscribedAt: subscription.subscribedAt.toISOString(),
            ...(subscription.confirmedAt === null ? {} : { confirmedAt: subscription.confirmedAt.toISOString() }),
          }
        : null,
      sessions: sessions.map((session) => ({
        createdAt: session.createdAt.toISOString(),
        expiresAt: session.expiresAt.toISOString(),
        ...(session.endedAt === null ? {} : { endedAt: session.endedAt.toISOString() }),
      })),
    }
    return { own, verifiedEmail }
  })
}
