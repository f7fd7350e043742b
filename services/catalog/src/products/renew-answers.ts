import { sql } from 'kysely'
import { transaction } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { ANSWER_FORMAT } from './product-answer.ts'

/**
 * Queues every product for a refresh when its stored answers were made by other code or for another public address.
 * Until its turn comes a product answers as before.
 */
export async function renewAnswers(db: Database, publicUrl: string): Promise<boolean> {
  const fingerprint = `${ANSWER_FORMAT} ${publicUrl}`
  return transaction(db, async (tx) => {
    const changed = await sql`
      insert into answer_format (fingerprint) values (${fingerprint})
      on conflict (only_row) do update set fingerprint = excluded.fingerprint
      where answer_format.fingerprint <> excluded.fingerprint returning 1`.execute(tx)
    if (changed.rows.length === 0) return false
    await sql`insert into refresh_queue (product_id) select id from products`.execute(tx)
    return true
  })
}
