import { snapshot } from '@storefront/chassis'
import { CustomerAddress, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import { listAddresses } from '../addresses/addresses.queries.ts'
import type { Database } from '../database.ts'
import { findSubscription, listSessions, listWishes, readAccount } from './personal-data.queries.ts'

/** Ended sessions are kept for up to a month, and whoever signs in all the time has any number of them. */
const LATEST_SESSIONS = 100

/** What this service itself keeps about a customer; no hash and nothing else that opens anything. */
export const OwnData = z.object({
  account: z.object({
    id: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().optional(),
    marketingOptIn: z.boolean(),
    emailVerifiedAt: Timestamp.optional(),
    createdAt: Timestamp,
  }),
  addresses: z.array(CustomerAddress),
  wishlist: z.array(z.object({ slug: z.string(), productId: z.string(), savedAt: Timestamp })),
  newsletter: z
    .object({ email: z.string(), subscribedAt: Timestamp, confirmedAt: Timestamp.optional() })
    .nullable()
    .describe('The subscription of the account’s address, once that is verified'),
  sessions: z
    .array(z.object({ createdAt: Timestamp, expiresAt: Timestamp, endedAt: Timestamp.optional() }))
    .describe(`The open ones, and the latest ${LATEST_SESSIONS} of all`),
})
export type OwnData = z.output<typeof OwnData>

/** @throws Refusal `unauthenticated` when the account is gone */
export async function readOwnData(db: Database, customerId: string, now: Date): Promise<OwnData> {
  return snapshot(db, async (connection) => {
    const { phone, emailVerifiedAt, createdAt, ...account } = await readAccount(connection, customerId)
    const addresses = await listAddresses(connection, customerId)
    const wishes = await listWishes(connection, customerId)
    const sessions = await listSessions(connection, customerId, { now, latest: LATEST_SESSIONS })
    // Whose address it is must be known first: what others did with theirs is theirs.
    const subscription = emailVerifiedAt === null ? undefined : await findSubscription(connection, account.email)
    return {
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
  })
}
