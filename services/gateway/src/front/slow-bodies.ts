import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@storefront/chassis'
import { requestTimeout } from '../refusals.ts'
import type { Route } from '../routes.ts'
import { refuse } from './answer.ts'
import { leave } from './last-words.ts'
import type { Patience } from './patience.ts'
import type { Visit } from './visit.ts'

/**
 * Sees to it that the body of a request comes to an end: an ordinary one in a while, a large one as long as it moves.
 * Without that a kilobyte, a byte at a time, would hold a connection and a service for minutes.
 * @param visit undefined for a preflight
 */
export function hurryBody(
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit | undefined,
  patience: Patience,
): void {
  const giveUp = () => {
    stop()
    if (visit) visit.fault = 'slow_body'
    if (!request.complete) refuseBody(request, response, visit, requestTimeout())
  }
  const timers = isLarge(visit?.route)
    ? [watchProgress(request, patience, giveUp), setTimeout(giveUp, patience.largeBodyMs)]
    : [setTimeout(giveUp, patience.bodyMs)]
  const stop = () => timers.forEach(clearTimeout)
  for (const timer of timers) timer.unref()
  request.once('end', stop).once('close', stop)
}

/** Ends the connection of a body that cannot be taken any further, with an answer where none has been given. */
export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit | undefined,
  refusal: Refusal,
): void {
  const { socket } = request
  if (!visit || response.headersSent) {
    socket.destroy()
    return
  }
  // Called by Node after the answer. It would close while the rest of the body is still under way.
  socket.destroySoon = () => leave(socket)
  // Of a request that has its answer Node would not say that it is over, and its service would wait for the rest.
  request.on('error', () => {})
  socket.once('close', () => request.destroy(new Error('the body did not come to its end')))
  refuse(response, visit, refusal, ['connection', 'close'])
}

function watchProgress(request: IncomingMessage, { bodyStallMs }: Patience, giveUp: () => void): NodeJS.Timeout {
  const { socket } = request
  let before = socket.bytesRead
  return setInterval(() => {
    // A body that nobody reads at the moment, because its service is still busy with the beginning, cannot come.
    if (socket.bytesRead === before && request.readableFlowing === true) giveUp()
    before = socket.bytesRead
  }, bodyStallMs)
}

function isLarge(route: Route | undefined): boolean {
  return route?.slow === true || route?.streamed === true || route?.bodyLimit !== undefined
}
