import type { Connection } from '../database.ts'

/** A session or key that ended early. Redis must keep it for as long as its token could be accepted. */
export interface Revoked {
  id: string
  expires_at: Date
}

/** A page of revoked ids, sorted so that the next page does not read the same rows again. */
export interface RevokedPage {
  /** All revocations, or those that were not sent to Redis. */
  which: 'all' | 'unshared'
  /** The last id of the previous page; empty for the first. */
  after: string
  limit: number
}

/** A table of revocations, of which Redis has only a copy. */
export interface Revocable {
  /** The revocations whose token could still be accepted. */
  listRevoked(connection: Connection, page: RevokedPage, now: Date): Promise<Revoked[]>
  /** Changes only rows that are not marked yet. */
  markShared(connection: Connection, ids: string[], now: Date): Promise<void>
}

export interface Revocations {
  /**
   * Writes revocations to Redis, where every gateway reads them, and notifies running gateways, which may not reach
   * Redis. Never throws: the repair writes later what could not be written now.
   */
  share(sessions: Revoked[]): Promise<void>
  /** The same for secret keys. */
  shareApiKeys(keys: Revoked[]): Promise<void>
  /** Stops the repair and waits for a running one. */
  stop(): Promise<void>
}
