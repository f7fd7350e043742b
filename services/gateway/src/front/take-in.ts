import { clientNetwork } from '@storefront/chassis'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { overloaded, tooMany } from '../refusals.ts'
import { refuse } from './answer.ts'
import { bodyGatherer, isSmall } from './gather-body.ts'
import type { LoadShedding } from './load-shedding.ts'
import { countRateLimited, countShed } from './refusal-metrics.ts'
import { hasBody } from './unfinished-heads.ts'
import type { Visit } from './visit.ts'

/** A client whose requests are all running gets a response to one of them soon. */
const CROWDED_RETRY_SECONDS = 1

/** @param work is called once for the request; it must not throw */
export type TakeIn = (visit: Visit, request: IncomingMessage, response: ServerResponse, work: () => void) => void

/**
 * Starts the work for a request as soon as its requirements are met: its body, when it is small, and a slot among the
 * running requests. Rejects it when there is none.
 */
export function takingIn(load: LoadShedding): TakeIn {
  const gather = bodyGatherer()
  return (visit, request, response, work) => {
    const party = clientNetwork(visit.address)
    if (!load.admit(party, response)) {
      countRateLimited('concurrency')
      refuse(response, visit, tooMany(CROWDED_RETRY_SECONDS))
      return
    }
    const noRoom = () => {
      countShed()
      refuse(response, visit, overloaded())
    }
    const begin = () => (load.takeIn(response) ? work() : noRoom())
    // Given up in the meantime, by the client or by us.
    const isOver = () => response.headersSent || response.destroyed
    // The body of a read is ignored, see admitRequests.
    const reading = visit.method === 'GET' || visit.method === 'HEAD'
    if (reading || !hasBody(request)) begin()
    else if (isSmall(request)) {
      gather(party, request, {
        ready(body) {
          if (isOver()) return
          visit.body = body
          begin()
        },
        noRoom: () => isOver() || noRoom(),
      })
    } else if (load.takeUpload(party, request, response)) begin()
    else noRoom()
  }
}
