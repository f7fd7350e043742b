import type { Revocable } from '../sessions/revoked.ts'
import { REVOCATION_REMEMBERED_MS } from './api-key.ts'

export const revocableApiKeys: Revocable = {
  async listRevoked(connection, { which, after, limit }, now) {
    // No gateway has cached data of a key that was revoked before then.
    const since = new Date(now.getTime() - REVOCATION_REMEMBERED_MS)
    let page = connection
      .selectFrom('api_keys')
      .select(['id', 'revoked_at'])
      .where('kind', '=', 'secret')
      .where('revoked_at', '>', since)
      .where('id', '>', after)
    if (which === 'unshared') page = page.where('shared_at', 'is', null)
    const revoked = await page.orderBy('id').limit(limit).execute()
    return revoked.map(({ id, revoked_at }) => ({
      id,
      expires_at: new Date((revoked_at ?? now).getTime() + REVOCATION_REMEMBERED_MS),
    }))
  },

  async markShared(connection, ids, now) {
    await connection
      .updateTable('api_keys')
      .set({ shared_at: now })
      .where('id', 'in', ids)
      .where('shared_at', 'is', null)
      .execute()
  },
}
