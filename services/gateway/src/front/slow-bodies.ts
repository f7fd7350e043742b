import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@storefront/chassis'
import { requestTimeout } from '../refusals.ts'
import type { Route } from '../routes.ts'
import { bodyLimitOf } from '../hop/body-limit.ts'
import { refuse } from './answer.ts'
import { leave } from './last-words.ts'
import type { Patience } from './patience.ts'
import type { Visit } from './visit.ts'

/**
 * Sees to it that the body of a request comes to an end: an ordinary one in a while, a large one as long as it moves, and
 * in a longer while unless it has no limit.
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
  const { socket } = request
  const timers: NodeJS.Timeout[] = []
  const stop = () => timers.forEach(clearTimeout)
  const endIn = (ms: number) => timers.push(setTimeout(giveUp, ms).unref())
  const route = visit?.route
  if (!isLarge(route)) endIn(patience.bodyMs)
  else {
    timers.push(watchProgress(request, patience, giveUp).unref())
    if (bodyLimitOf(route, request.headers['content-type']) < Infinity) endIn(patience.largeBodyMs)
    // Without a limit it goes on for as long as its service takes it, but not when that has answered.
    else response.once('close', () => request.readableEnded || socket.destroyed || endIn(patience.largeBodyMs))
  }
  request.once('end', stop)
  // A request may be destroyed and its connection live on, with a body on it that must come to an end all the same.
  request.once('close', () => (request.complete || socket.destroyed) && stop())
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
  let wasHeld = false
  let quiet = 0
  request.on('pause', () => (wasHeld = true))
  return setInterval(() => {
    // A body that nobody reads at the moment, because its service is still busy with the beginning, cannot come.
    const isHeld = request.readableFlowing !== true
    quiet = isHeld || wasHeld || socket.bytesRead !== before ? 0 : quiet + 1
    // Twice, because a body that stood still when the first half began may be about to go on.
    if (quiet === 2) giveUp()
    before = socket.bytesRead
    wasHeld = isHeld
  }, bodyStallMs / 2)
}

function isLarge(route: Route | undefined): route is Route {
  return route?.slow === true || route?.streamed === true || route?.bodyLimit !== undefined
}
