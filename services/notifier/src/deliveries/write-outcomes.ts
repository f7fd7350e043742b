import { DAY_MS } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import {
  disableEndpoints,
  disableEndpointsFailingSince,
  noteEndpointsFail,
  noteEndpointsWork,
} from '../endpoints/endpoints.queries.ts'
import type { EndpointOutcome } from './circuit.ts'
import { noteOutcomes } from './deliveries.queries.ts'
import { outcomesOf, type Outcome } from './endpoint-outcomes.ts'
import { GONE } from './outcome-of-attempt.ts'

const DISABLE_AFTER_MS = 5 * DAY_MS

/** The state of the endpoints after the results were written. */
export interface Written {
  /** Paused or disabled because of these results. */
  disabled: string[]
  paused: string[]
  /** In a row, over all replicas; 0 for an endpoint that is missing here. */
  failures: Map<string, number>
}

/** Writes the results of attempts, and what follows for their endpoints, in one transaction. */
export async function writeOutcomes(db: Database, worker: string, batch: Outcome[], now: Date): Promise<Written> {
  const outcomes = outcomesOf(batch)
  const failing = outcomes.filter((item) => item.failures > 0 || item.probe !== undefined)
  const gone = [...new Set(batch.filter(({ status }) => status === GONE).map(({ endpointId }) => endpointId))]
  const idsOf = (items: EndpointOutcome[]) => items.map((item) => item.endpointId)
  return transaction(db, async (tx) => {
    await noteOutcomes(tx, worker, batch, now)
    if (failing.length === 0) {
      await noteEndpointsWork(tx, idsOf(outcomes))
      return { disabled: [], paused: [], failures: new Map() }
    }
    const { failures, paused } = await noteEndpointsFail(tx, outcomes, now)
    const since = new Date(now.getTime() - DISABLE_AFTER_MS)
    const failingTooLong = await disableEndpointsFailingSince(tx, idsOf(failing), { since, now })
    const rejected = gone.length > 0 ? await disableEndpoints(tx, gone, 'it responded with 410 Gone', now) : []
    return { disabled: [...failingTooLong, ...rejected], paused, failures }
  })
}
