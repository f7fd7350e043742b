import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ActorSigner } from '@storefront/service'
import type { EdgeCache } from '../edge-cache/edge-cache.ts'
import { purgeKeys } from '../edge-cache/policy.ts'
import { reject } from '../front/send-error.ts'
import type { Timeouts } from '../front/timeouts.ts'
import { isRead, requestContextOf, type RequestContext } from '../front/request-context.ts'
import { badGateway, notFound } from '../errors.ts'
import { isIdempotent } from './idempotent.ts'
import { responseHeaders, isJson } from './response-headers.ts'
import { errorName, upstreamError } from './upstream-errors.ts'
import { requestHeaders } from './request-headers.ts'
import { sendResponse } from './send-response.ts'
import { endUpstreamSpan, startUpstreamSpan } from './upstream-span.ts'
import type { ForwardedRequest, Upstreams } from './upstreams.ts'

/**
 * The framework's route for every request that is forwarded. The request context has its service and its path, which
 * the framework would decode.
 */
export const FORWARDED_ROUTE = '/-'

type ForwardHooks = NonNullable<Parameters<FastifyReply['from']>[1]>

interface ForwardOptions {
  upstreams: Upstreams
  sign: ActorSigner
  trustedProxies: number
  basePath: string
  cache: Pick<EdgeCache, 'purge'>
  timeouts: Pick<Timeouts, 'slowRouteMs'>
}

/**
 * Forwards requests to the services of their routes. Bodies are not parsed: small ones are in memory, others stream.
 */
export async function forwardRequests(app: FastifyInstance, options: ForwardOptions): Promise<void> {
  const { upstreams } = options
  await app.register(httpProxy, {
    // Service and path bypass the framework and the library, see ForwardingClient.
    upstream: 'http://service',
    routes: [FORWARDED_ROUTE],
    undici: upstreams.forwarding,
    disableRequestLogging: true,
    httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    handler: (request, reply) => {
      const context = requestContextOf(request.raw)
      const { route } = context
      if (!route || route.to === 'gateway') throw notFound()
      // The client disconnected while admit.ts checked the session: no close event would end a count that begins now.
      if (reply.raw.destroyed) return void reply.hijack()
      reply.raw.once('close', upstreams.begin(route.to))
      startUpstreamSpan(context, route.to)
      if (context.upstreamSpan) reply.raw.once('close', () => endUpstreamSpan(context, 'cancelled'))
      const forwarded: ForwardedRequest = {
        service: route.to,
        path: context.target,
        signal: cancellation(request, reply),
        idempotent: isIdempotent(context, request.headers),
        ...(context.body && { body: context.body }),
        span: context.upstreamSpan,
      }
      return upstreams.forwarding.forward(forwarded, () => reply.from('/', forwardHooks(options, context, reply)))
    },
  })
}

function forwardHooks(
  { sign, trustedProxies, basePath, cache, timeouts }: ForwardOptions,
  context: RequestContext,
  reply: FastifyReply,
): ForwardHooks {
  let isJsonResponse = false
  return {
    // The library starts the timeout again whenever a body waits for the service, and when the body is complete.
    ...(context.route?.slow ? { timeout: timeouts.slowRouteMs } : {}),
    rewriteRequestHeaders: (_request, headers) => requestHeaders(headers, context, sign, trustedProxies),
    rewriteHeaders: (headers) => {
      // Before any of the response is sent: a client that reads it and requests again sees the effect of the write.
      const keys = purgeKeys(headers)
      if (keys.length > 0) cache.purge(keys)
      isJsonResponse = isJson(headers['content-type'])
      return responseHeaders(headers, basePath)
    },
    onResponse: (_request, _reply, { stream }) => {
      // The library would close a connection whose request is still arriving; here the remaining body is dropped, see
      // forwardedBody.
      reply.removeHeader('connection')
      endUpstreamSpan(context, { status: reply.statusCode })
      if (reply.statusCode >= 400 && !isJsonResponse && !context.route?.pages) {
        stream.on('error', () => {}).resume()
        fail(context, reply, badGateway())
      } else sendResponse(reply, stream, (error) => fail(context, reply, error))
    },
    onError: (_reply, { error }) => fail(context, reply, error),
    // Whether and where a request is retried is decided in upstreams.ts.
    retryDelay: () => null,
  }
}

/**
 * A read whose client has disconnected is canceled. A write is not: its service still completes it, and only its
 * response names what to purge.
 */
function cancellation(request: FastifyRequest, reply: FastifyReply): AbortSignal | null {
  if (!isRead(request)) return null
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Sends a response without the framework: headers of the service's response must not remain on ours. */
function fail(context: RequestContext, reply: FastifyReply, error: unknown): void {
  const httpError = upstreamError(error, context.route?.to ?? 'service')
  // A body that turns out too long while streaming is not a failure of its service.
  if (httpError.status >= 500) context.fault = errorName(error)
  endUpstreamSpan(context, { error })
  if (reply.raw.headersSent || reply.raw.destroyed) return
  reply.hijack()
  reject(reply.raw, context, httpError)
}
