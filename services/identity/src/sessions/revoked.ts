import type { Database } from '../database.ts'

/** What was ended before its time. Redis must remember it for as long as it could still be shown somewhere. */
export interface Revoked {
  id: string
  expires_at: Date
}

/** A table of what can be revoked, of which Redis holds only a copy. */
export interface Revocable {
  /** Revoked ones that Redis has not heard of, in no particular order. */
  listUnshared(db: Database, now: Date, limit: number): Promise<Revoked[]>
  markShared(db: Database, ids: string[], now: Date): Promise<void>
  /** Forgets that Redis knew of them. @returns how many there were, at most `limit` */
  forgetShared(db: Database, now: Date, limit: number): Promise<number>
}
