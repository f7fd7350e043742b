import type { ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { HttpError } from '@storefront/service'
import { methodNotAllowed, overloaded, tooMany } from '../errors.ts'
import { rememberUnderWay } from './client-errors.ts'
import { limitConnections } from './connections.ts'
import { isEnding, respondUnparsed } from './last-response.ts'
import { knownRequestContextOf } from './request-context.ts'
import type { Timeouts } from './timeouts.ts'
import { limitUnfinishedHeads, MAX_HEAD_BYTES } from './unfinished-heads.ts'

/** Timeouts of the framework's server, for every stage of a connection, and the limit of its parser. */
export function serverOptions(timeouts: Timeouts) {
  return {
    http: {
      // The limit of the parser, for address and headers together. request-head.ts reports which of them is too large.
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: timeouts.headMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // The pipeline rejects a missing Host; Node would respond to it itself, and not in JSON.
      requireHostHeader: false,
    } satisfies ServerOptions,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionTimeout: timeouts.unreadMs,
    // A limit here would abort long imports. slow-bodies.ts handles bodies that stop arriving.
    requestTimeout: 0,
  }
}

/**
 * Each part that holds a resource for a request has a listener that releases it when the response closes. More
 * listeners than this are a leak.
 */
const MAX_LISTENERS = 20

/**
 * Limits connections and unfinished heads, and prepares each connection for its next request.
 * @param trustedProxies how many proxies are in front, 0 for none
 */
export function addConnectionLimits(app: FastifyInstance, timeouts: Timeouts, trustedProxies: number): void {
  const { server } = app
  const rejectAtOnce = (socket: Socket, error: HttpError) => {
    respondUnparsed(socket, error)
    // At once, because what is held for it must be released.
    socket.destroySoon()
  }
  if (trustedProxies === 0) {
    limitConnections(server, timeouts.connectionsPerAddress, (socket) => rejectAtOnce(socket, tooMany(1)))
  }
  const headIsComplete = limitUnfinishedHeads(server, (socket) => rejectAtOnce(socket, overloaded()))
  server.on('checkExpectation', (request, response) => app.routing(request, response))
  server.on('connect', (_request, socket) => respondUnparsed(socket, methodNotAllowed()))

  app.addHook('onRequest', ({ raw: request }, reply, done) => {
    const response = reply.raw
    headIsComplete(request)
    // The connection already has its last response, or was closed because reading the request failed.
    if (isEnding(request.socket) || !knownRequestContextOf(request)) {
      reply.hijack()
      return
    }
    // The client's next request must reach another replica.
    if (app.isStopping) response.shouldKeepAlive = false
    rememberUnderWay(request, response)
    response.setMaxListeners(MAX_LISTENERS).on('timeout', giveUpUnread)
    done()
  })
}

/** Closes an idle connection if its client has not read the response. */
function giveUpUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
