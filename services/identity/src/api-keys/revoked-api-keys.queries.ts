import type { Database } from '../database.ts'
import type { Revocable } from '../sessions/revoked.ts'
import { REVOCATION_REMEMBERED_MS } from './api-key.ts'

export const revocableApiKeys: Revocable = {
  async listUnshared(db, now, limit) {
    const revoked = await recentlyRevoked(db, now).where('shared_at', 'is', null).limit(limit).execute()
    return revoked.map(({ id, revoked_at }) => ({
      id,
      expires_at: new Date((revoked_at ?? now).getTime() + REVOCATION_REMEMBERED_MS),
    }))
  },

  async markShared(db, ids, now) {
    await db.updateTable('api_keys').set({ shared_at: now }).where('id', 'in', ids).execute()
  },

  async forgetShared(db, now, limit) {
    const lost = recentlyRevoked(db, now).clearSelect().select('id').where('shared_at', 'is not', null).limit(limit)
    const result = await db.updateTable('api_keys').set({ shared_at: null }).where('id', 'in', lost).executeTakeFirst()
    return Number(result.numUpdatedRows)
  },
}

/** Of a key that was revoked before then no gateway has known anything for long. */
function recentlyRevoked(db: Database, now: Date) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'revoked_at'])
    .where('kind', '=', 'secret')
    .where('revoked_at', '>', new Date(now.getTime() - REVOCATION_REMEMBERED_MS))
}
