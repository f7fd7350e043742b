import { DAY_MS } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { Database } from '../database.ts'
import { disableEndpoints } from '../endpoints/endpoints.queries.ts'
import { lockSent, noteEndpointsFail, noteEndpointsWork } from './circuit.queries.ts'
import { noteOutcomes } from './deliveries.queries.ts'
import { atFormerAddress, outcomesOf, type Outcome } from './endpoint-outcomes.ts'
import { GONE } from './outcome-of-attempt.ts'

const DISABLE_AFTER_MS = 5 * DAY_MS

/** The deliveries and endpoints after the results were written. */
export interface Written {
  /** Deliveries that were given up. */
  dead: string[]
  /** Paused or disabled because of these results. */
  disabled: string[]
  paused: string[]
  /** In a row, over all replicas; 0 for an endpoint that is missing here. */
  failures: Map<string, number>
}

/**
 * Writes the results of attempts, and what follows for their endpoints, in one transaction. A result from the former
 * address of an endpoint that has moved meanwhile has no effect on the endpoint.
 */
export async function writeOutcomes(db: Database, worker: string, sent: Outcome[], now: Date): Promise<Written> {
  return transaction(db, async (tx) => {
    if (sent.every(({ result }) => result === 'delivered')) {
      await noteOutcomes(tx, worker, sent, now)
      await noteEndpointsWork(tx, sent)
      return { dead: [], disabled: [], paused: [], failures: new Map() }
    }
    const endpoints = await lockSent(tx, idsOf(sent))
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    const isCurrent = ({ endpointId, url }: Outcome) => urls.get(endpointId) === url
    const batch = sent.map((outcome) => (isCurrent(outcome) ? outcome : atFormerAddress(outcome, now)))
    await noteOutcomes(tx, worker, batch, now)
    const current = batch.filter(isCurrent)
    const outcomes = outcomesOf(current)
    const { failures, paused } = await noteEndpointsFail(tx, endpoints, outcomes, now)
    const failing = outcomes.filter((item) => item.failures > 0 || item.probe !== undefined)
    const failingSince = new Date(now.getTime() - DISABLE_AFTER_MS)
    const reason = 'no delivery succeeded for five days'
    const failingTooLong = await disableEndpoints(tx, idsOf(failing), { reason, failingSince, now })
    const gone = idsOf(current.filter(({ status }) => status === GONE))
    const rejected = await disableEndpoints(tx, gone, { reason: 'it responded with 410 Gone', now })
    const dead = batch.filter(({ result }) => result === 'dead').map(({ deliveryId }) => deliveryId)
    return { dead, disabled: [...failingTooLong, ...rejected], paused, failures }
  })
}

const idsOf = (items: readonly { endpointId: string }[]) => [...new Set(items.map(({ endpointId }) => endpointId))]
