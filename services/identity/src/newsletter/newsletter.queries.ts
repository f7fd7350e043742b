import type { Connection } from '../database.ts'

/** Subscribing twice is subscribing once. */
export async function insertSubscriber(connection: Connection, email: string, now: Date): Promise<void> {
  await connection
    .insertInto('newsletter_subscribers')
    .values({ email, subscribed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
