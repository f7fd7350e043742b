import type { Connections } from '@storefront/service-start'
import type { NotifierTables } from './database.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface NotifierContext extends Connections<NotifierTables> {
  /** Identifies this replica as the holder of its claims; after a restart the process is another worker. */
  worker: string
  leaseMs: number
  /** Pause between two looks for work that has become due. */
  pollMs: number
}
