import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpError } from '@storefront/service'
import { requestTimeout } from '../errors.ts'
import type { Route } from './routes.ts'
import { bodyLimitOf } from '../upstream/body-limit.ts'
import { reject } from './send-error.ts'
import { endConnection } from './last-response.ts'
import type { Timeouts } from './timeouts.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Ends bodies that do not arrive: an ordinary one must be complete in time, a large one must keep arriving, and be
 * complete within a longer time unless it has no limit. Otherwise a kilobyte, sent byte by byte, would hold a
 * connection and a service for minutes.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  timeouts: Timeouts,
): void {
  const giveUp = () => {
    stop()
    context.fault = 'slow_body'
    if (!request.complete) rejectBody(request, response, context, requestTimeout())
  }
  const { socket } = request
  const timers: NodeJS.Timeout[] = []
  const stop = () => timers.forEach(clearTimeout)
  const endIn = (ms: number) => timers.push(setTimeout(giveUp, ms).unref())
  // The body of a preflight gets no additional time, because the preflight already has its response.
  const route = context.method === 'OPTIONS' ? undefined : context.route
  if (!isLarge(route)) endIn(timeouts.bodyMs)
  else {
    timers.push(watchProgress(request, timeouts, giveUp).unref())
    if (bodyLimitOf(route, request.headers['content-type']) < Infinity) endIn(timeouts.largeBodyMs)
    // Without a limit it continues as long as its service reads it, but not after the response.
    else
      response.once('close', () => {
        if (!request.readableEnded && !socket.destroyed) endIn(timeouts.largeBodyMs)
      })
  }
  request.once('end', stop)
  // A request may be destroyed while its connection stays open and the body is still arriving, which must be limited.
  request.once('close', () => {
    if (request.complete || socket.destroyed) stop()
  })
}

/** Closes the connection of a body that will not be read further, with a response if none was sent. */
export function rejectBody(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  error: HttpError,
): void {
  const { socket } = request
  if (response.headersSent) {
    socket.destroy()
    return
  }
  // Called by Node after the response. Node would close the connection while the remaining body is still arriving.
  socket.destroySoon = () => endConnection(socket)
  // Node does not report the end of a request that has its response, and its service would wait for the remaining body.
  request.on('error', () => {})
  socket.once('close', () => request.destroy(new Error('the body did not arrive completely')))
  reject(response, context, error, ['connection', 'close'])
}

function watchProgress(request: IncomingMessage, { bodyStallMs }: Timeouts, giveUp: () => void): NodeJS.Timeout {
  const { socket } = request
  let before = socket.bytesRead
  let wasHeld = false
  let quietHalves = 0
  request.on('pause', () => (wasHeld = true))
  return setInterval(() => {
    // A body that is not being read, because its service is still busy with the beginning, cannot arrive.
    const isHeld = request.readableFlowing !== true
    quietHalves = isHeld || wasHeld || socket.bytesRead !== before ? 0 : quietHalves + 1
    // Twice, because a body that was paused when the first half began may be about to continue.
    if (quietHalves === 2) giveUp()
    before = socket.bytesRead
    wasHeld = isHeld
  }, bodyStallMs / 2)
}

function isLarge(route: Route | undefined): route is Route {
  return route?.slow === true || route?.streamed === true || route?.bodyLimit !== undefined
}
