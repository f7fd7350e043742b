import type { Connection } from '../database.ts'

/** What was ended early. Redis must keep it for as long as its token could still be accepted. */
export interface Revoked {
  id: string
  expires_at: Date
}

/** A page of revoked ids, in the order of ids: rows that were read are not read again for the next page. */
export interface RevokedPage {
  /** All, or those that were not sent to Redis. */
  which: 'all' | 'unshared'
  /** The last id of the previous page; empty for the first. */
  after: string
  limit: number
}

/** A table of revocations, of which Redis has only a copy. */
export interface Revocable {
  /** Those whose token could still be accepted. */
  listRevoked(connection: Connection, page: RevokedPage, now: Date): Promise<Revoked[]>
  /** Costs nothing for those that are marked. */
  markShared(connection: Connection, ids: string[], now: Date): Promise<void>
}

export interface Revocations {
  /**
   * Writes revocations to Redis, and with it to every gateway; and notifies running gateways, which may not be able to
   * reach Redis. Never throws: the repair writes later what Redis misses now.
   */
  share(sessions: Revoked[]): Promise<void>
  /** The same for secret keys. */
  shareApiKeys(keys: Revoked[]): Promise<void>
  /** Stops the repair and waits for a running one. */
  stop(): Promise<void>
}
