import type { Clock, Log, Messaging } from '@storefront/chassis'
import type { Database } from './database.ts'

/** What the operations of this service are given; each names the part it needs. */
export interface NotifierContext {
  db: Database
  messaging: Messaging
  log: Log
  clock: Clock
  /** Names this copy as the holder of its claims; another start of the same process is another worker. */
  worker: string
  leaseMs: number
}
