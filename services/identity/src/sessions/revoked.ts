import type { Connection } from '../database.ts'

/** What was ended before its time. Redis must remember it for as long as it could still be shown somewhere. */
export interface Revoked {
  id: string
  expires_at: Date
}

/** A part of what was revoked, in the order of ids: what was read once is not read again for the next part. */
export interface RevokedPage {
  /** All, or those that Redis has not heard of. */
  which: 'all' | 'unshared'
  /** The last id of the page before; empty for the first. */
  after: string
  limit: number
}

/** A table of what can be revoked, of which Redis holds only a copy. */
export interface Revocable {
  /** Of what could still be shown somewhere. */
  listRevoked(connection: Connection, page: RevokedPage, now: Date): Promise<Revoked[]>
  /** Costs nothing for those that are marked. */
  markShared(connection: Connection, ids: string[], now: Date): Promise<void>
}
