import { ACTOR_HEADER, ANONYMOUS, REQUEST_ID_HEADER } from '@storefront/contracts'
import { HttpError, inSpan, sampledTraceId, withRequestId, type ActorVerifier } from '@storefront/service'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accessErrorFor } from './access-error.ts'
import { checkAdminFields } from './admin-fields.ts'
import { PRIVATE_CACHE_CONTROL } from './caching.ts'
import { isAdminRoute } from './declared-errors.ts'
import { countRequest } from './http-metrics.ts'
import { HEARTBEAT_PATH } from './heartbeat.ts'
import { startServerSpan } from './trace-request.ts'

/** The client closed the connection before it had its response. */
export const CLIENT_GONE = 499

/** Identifies the caller of every request, checks their access and the text, and records how the request ended. */
export function addRequestHooks(app: FastifyInstance, verifyActor: ActorVerifier): void {
  app.decorateRequest('actor')
  app.decorateRequest('actorToken')
  app.decorateRequest('span')
  app.decorateRequest('sentBack')
  app.addHook('onRequest', (request, reply, done) => {
    const token = request.headers[ACTOR_HEADER]
    request.actorToken = typeof token === 'string' ? token : undefined
    request.actor = verifyActor(request.actorToken) ?? ANONYMOUS
    reply.header(REQUEST_ID_HEADER, request.id)
    // Caches must not store responses that are not public. A route may set another header itself.
    if (request.routeOptions.config.access !== 'public') reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    request.span = startServerSpan(request, reply)
    inSpan(request.span, () => withRequestId(request.id, done))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    done(accessErrorFor(request.routeOptions.config.access, request.actor))
  })
  app.addHook('preValidation', (request, _reply, done) => {
    done(holdsNul(request.params) || holdsNul(request.query) ? unusableText() : undefined)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    request.sentBack = isAdminRoute(request.routeOptions.url) ? checkAdminFields(request) : []
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Makes the client connect to another replica. A connection that stays open after its last response would delay the
    // stop until it times out, and the next request on it might be lost.
    if (app.isStopping) reply.header('connection', 'close')
    // The framework would close the connection on a body that is too large, and the response would be lost with the
    // body still being sent.
    else reply.removeHeader('connection')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    endRequest(request, reply)
    done()
  })
}

/** Ends the request: drops what is unread of its body, and records the request in the metrics and the log. */
function endRequest(request: FastifyRequest, reply: FastifyReply): void {
  // The unread remainder of a body would be taken for the next request on the same connection: it is read and
  // dropped.
  request.raw.unpipe().removeAllListeners('readable').resume()
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const { method } = request
  const route = request.routeOptions.url
  // It lasts as long as the process, so its duration shows nothing about speed.
  if (route === HEARTBEAT_PATH) return
  const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE
  countRequest({ method, route, status, seconds: reply.elapsedTime / 1000 })
  request.log.debug(
    {
      requestId: request.id,
      method,
      route,
      status,
      ms,
      actor: request.actor.kind,
      traceId: sampledTraceId(request.span),
    },
    'request completed',
  )
}

function unusableText(): HttpError {
  return new HttpError('validation_failed', 'The request contains characters that are not allowed.', {
    detail: { issues: [{ path: '', message: 'must not contain NUL characters' }] },
  })
}

function holdsNul(values: unknown): boolean {
  if (typeof values !== 'object' || values === null) return false
  return Object.values(values).some((value) => typeof value === 'string' && value.includes('\0'))
}
