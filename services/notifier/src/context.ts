import type { Clock, Log } from '@storefront/service'
import type { Messaging } from '@storefront/messaging'
import type { Database } from './database.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface NotifierContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  /** Identifies this replica as the holder of its claims; after a restart the process is another worker. */
  worker: string
  leaseMs: number
  /** Pause between two looks for work that has become due. */
  pollMs: number
}
