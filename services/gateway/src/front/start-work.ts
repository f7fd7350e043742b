import { clientNetwork } from '@storefront/http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpError } from '@storefront/service'
import { overloaded, tooMany } from '../errors.ts'
import { bodyGatherer, isSmall } from './gather-body.ts'
import type { LoadShedding } from './load-shedding.ts'
import { countRateLimited, countShed } from './rejection-metrics.ts'
import { hasBody } from './unfinished-heads.ts'
import { isRead, type RequestContext } from './request-context.ts'

/** A client whose requests are all running gets a response to one of them soon. */
const CROWDED_RETRY_SECONDS = 1

/** @param done is called at most once for the request, with an error if it must be rejected */
type StartWork = (
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
  done: (error?: HttpError) => void,
) => void

/**
 * Starts the work for a request as soon as its requirements are met: its body, when it is small, and a slot among the
 * running requests. Rejects it when there is none.
 */
export function workStarter(load: LoadShedding): StartWork {
  const gather = bodyGatherer()
  return (context, request, response, done) => {
    const client = clientNetwork(context.address)
    if (!load.admit(client, response)) {
      countRateLimited('concurrency')
      done(tooMany(CROWDED_RETRY_SECONDS))
      return
    }
    const shed = () => {
      countShed()
      done(overloaded())
    }
    const begin = () => (load.takeSlot(response) ? done() : shed())
    // Another part has ended the request in the meantime, or the client has disconnected.
    const isOver = () => response.headersSent || response.destroyed
    // The body of a read is ignored, see admitRequests.
    if (isRead(context) || !hasBody(request)) begin()
    else if (isSmall(request)) {
      gather(client, request, {
        ready(body) {
          if (isOver()) return
          context.body = body
          begin()
        },
        noMemory() {
          if (!isOver()) shed()
        },
      })
    } else if (load.takeUpload(client, request, response)) begin()
    else shed()
  }
}
