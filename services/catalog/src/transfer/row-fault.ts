import type { RawBuilder } from 'kysely'
import type { CountedJob } from './jobs.queries.ts'

/** An import whose rows are checked. */
export type CheckedImport = Pick<CountedJob, 'id' | 'mode' | 'types'>

/** What may be wrong with the rows of an import. */
export interface RowFault {
  /** Whether the import may have this fault. Looking for all would take most of the time of a small import. */
  isPossible: boolean
  /** Selects `place`, `path` and `message` of invalid rows. */
  statement: RawBuilder<unknown>
}
