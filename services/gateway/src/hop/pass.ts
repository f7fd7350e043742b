import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ActorSigner } from '@storefront/chassis'
import { purgeKeys } from '../edge-cache/policy.ts'
import { refuse } from '../front/answer.ts'
import type { Patience } from '../front/patience.ts'
import { visitOf, type Visit } from '../front/visit.ts'
import { badGateway, notFound } from '../refusals.ts'
import { answerHeaders, isJson } from './answer-headers.ts'
import { faultName, hopRefusal } from './faults.ts'
import { endHop, startHop } from './hop-span.ts'
import { isRead, isRepeatable } from './repeatable.ts'
import { requestHeaders } from './request-headers.ts'
import { sendAnswer } from './send-answer.ts'
import type { Passage, Upstreams } from './upstreams.ts'

/** The framework's route for every passed path: the front door has already decoded and routed it. */
export const PASSED_ON = '/-'

type PassHooks = NonNullable<Parameters<FastifyReply['from']>[1]>

export interface PassOptions {
  upstreams: Upstreams
  sign: ActorSigner
  trustedProxies: number
  purge: (tags: readonly string[]) => void
  patience: Pick<Patience, 'slowRouteMs'>
}

/**
 * Passes every other request on to the service of its route. Bodies are not parsed: small ones are in memory, others
 * stream.
 */
export async function passRequests(app: FastifyInstance, options: PassOptions): Promise<void> {
  const { upstreams } = options
  await app.register(httpProxy, {
    // Service and path bypass the framework and the library, see PassingClient.
    upstream: 'http://service',
    routes: [PASSED_ON],
    undici: upstreams.passing,
    disableRequestLogging: true,
    httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    handler: (request, reply) => {
      const visit = visitOf(request.raw)
      const { route } = visit
      if (!route || route.to === 'gateway') throw notFound()
      // The client disconnected during the session check: a count that ends with the request would never end.
      if (reply.raw.destroyed) return void reply.hijack()
      reply.raw.once('close', upstreams.begin(route.to))
      startHop(visit, route.to)
      reply.raw.once('close', () => endHop(visit, 'cancelled'))
      const passage: Passage = {
        service: route.to,
        path: visit.target,
        signal: cancellation(request, reply),
        repeatable: isRepeatable(visit, request.headers),
        ...(visit.body && { body: visit.body }),
        span: visit.hop,
      }
      return upstreams.passing.pass(passage, () => reply.from('/', passing(options, visit, reply)))
    },
  })
}

function passing({ sign, trustedProxies, purge, patience }: PassOptions, visit: Visit, reply: FastifyReply): PassHooks {
  let json = false
  return {
    // The library counts it again whenever the service must be waited for with a body, and when the body is complete.
    ...(visit.route?.slow ? { timeout: patience.slowRouteMs } : {}),
    rewriteRequestHeaders: (_request, headers) => requestHeaders(headers, visit, sign, trustedProxies),
    rewriteHeaders: (headers) => {
      // Before any of the response is sent: a client that reads it and requests again sees the effect of the write.
      const keys = purgeKeys(headers)
      if (keys.length > 0) purge(keys)
      json = isJson(headers['content-type'])
      return answerHeaders(headers)
    },
    onResponse: (_request, _reply, { stream }) => {
      // The library would close a connection whose request is still arriving; here the remaining body is dropped, see
      // passedBody.
      reply.removeHeader('connection')
      endHop(visit, { status: reply.statusCode })
      if (reply.statusCode >= 400 && !json && !visit.route?.pages) {
        stream.on('error', () => {}).resume()
        fail(visit, reply, badGateway())
      } else sendAnswer(reply, stream, (error) => fail(visit, reply, error))
    },
    onError: (_reply, { error }) => fail(visit, reply, error),
    // Whether and where a request is retried is decided in upstreams.ts.
    retryDelay: () => null,
  }
}

/**
 * A read whose client has disconnected is cancelled. A write is not: its service completes it all the same, and only
 * its response names what to purge.
 */
function cancellation(request: FastifyRequest, reply: FastifyReply): AbortSignal | null {
  if (!isRead(request.method)) return null
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Sends a response without the framework: headers of the service's response must not remain on ours. */
function fail(visit: Visit, reply: FastifyReply, error: unknown): void {
  const refusal = hopRefusal(error, visit.route?.to ?? 'service')
  // A body that turns out too long while streaming is no failure of its service.
  if (refusal.status >= 500) visit.fault = faultName(error)
  endHop(visit, { error })
  if (reply.raw.headersSent || reply.raw.destroyed) return
  reply.hijack()
  refuse(reply.raw, visit, refusal)
}
