import compress from '@fastify/compress'
import fastify, { type FastifyInstance } from 'fastify'
import { constants } from 'node:zlib'
import { DependencyUnavailable, type ActorSigner, type Clock } from '@storefront/service'
import { sendError, toHttpError } from '@storefront/http'
import { docsRoutes } from './docs/docs.ts'
import { openapiRoute } from './docs/openapi.ts'
import { dropBody } from './front/drop-body.ts'
import { allowanceHeaders } from './rate-limit/allowance.ts'
import { respondToClientError, createHttpServer } from './front/http-server.ts'
import { frontDoor, type FrontDoorParts } from './front/front-door.ts'
import { requestContextOf, type RequestContext } from './front/request-context.ts'
import { healthRoutes } from './health/health.ts'
import { admitRequests, type StrictLimits } from './upstream/admit.ts'
import { errorName } from './upstream/upstream-errors.ts'
import { PASSED_ON, passRequests } from './upstream/pass.ts'
import type { Upstreams } from './upstream/upstreams.ts'
import { notFound } from './errors.ts'
import { startPageRoute } from './start-page/start-page.ts'
import type { IdentifyCaller } from './sessions/identify-caller.ts'

export interface GatewayParts extends FrontDoorParts {
  upstreams: Upstreams
  limits: StrictLimits
  sign: ActorSigner
  clock: Clock
  identifyCaller: IdentifyCaller
}

/** The order in which the gateway handles a request: the front door first, then its own routes, then the services. */
export async function createGateway(parts: GatewayParts): Promise<FastifyInstance> {
  const { config, upstreams, clock, sign, cache } = parts
  const app: FastifyInstance = fastify({
    // The front door writes one line per request; the framework has nothing to add.
    logger: false,
    serverFactory: (inside) => {
      const receive = frontDoor(parts, inside)
      return createHttpServer(
        (request, response) => {
          // The client's next request must reach another replica.
          if (app.isStopping) response.shouldKeepAlive = false
          receive(request, response)
        },
        parts.timeouts,
        config.TRUST_PROXY,
      )
    },
    clientErrorHandler: respondToClientError,
    genReqId: (request) => requestContextOf(request).requestId,
    rewriteUrl: (request) => innerAddress(requestContextOf(request)),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  app.decorate('isStopping', false)
  app.decorate('beginStop', () => (app.isStopping = true))
  app.removeAllContentTypeParsers()
  await app.register(compress, {
    global: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })

  app.addHook('onRequest', (request, reply, done) => {
    const context = requestContextOf(request.raw)
    reply.headers({ ...context.headers.record, 'x-request-id': context.requestId, vary: 'Origin' })
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Late, because a stricter limit may have replaced the general one.
    const { allowance, cache: outcome } = requestContextOf(request.raw)
    if (allowance) reply.headers(Object.fromEntries(pairs(allowanceHeaders(allowance))))
    if (outcome) reply.header('x-cache', outcome)
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const context = requestContextOf(request.raw)
    // A service that is down or overloaded is no error of the gateway, and under load there would be a line for every
    // request.
    if (error instanceof DependencyUnavailable) context.fault = errorName(error)
    else if (toHttpError(error).status >= 500) parts.reportFault(error, context)
    dropBody(request.raw)
    return sendError(error, request, reply)
  })
  app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply))

  healthRoutes(app, { upstreams, clock })
  openapiRoute(app, { upstreams, clock, basePath: config.PUBLIC_BASE_PATH })
  docsRoutes(app, { basePath: config.PUBLIC_BASE_PATH })
  startPageRoute(app, { basePath: config.PUBLIC_BASE_PATH, storefronts: config.STOREFRONT_ORIGINS, clock })
  await app.register(async (passing) => {
    admitRequests(passing, parts)
    await passRequests(passing, {
      upstreams,
      sign,
      trustedProxies: config.TRUST_PROXY,
      purge: (tags) => cache.purge(tags),
      timeouts: parts.timeouts,
    })
  })
  return app
}

function innerAddress({ route, target }: RequestContext): string {
  return route?.to === 'gateway' ? target : PASSED_ON
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))
}
