import compress from '@fastify/compress'
import fastify, { type FastifyInstance } from 'fastify'
import { constants } from 'node:zlib'
import { DependencyUnavailable, sendError, toRefusal, type ActorSigner, type Clock } from '@storefront/chassis'
import { docsRoutes } from './docs/docs.ts'
import { openapiRoute } from './docs/openapi.ts'
import { dropBody } from './front/drop-body.ts'
import { allowanceHeaders } from './rate-limit/allowance.ts'
import { answerClientError, createHttpServer } from './front/http-server.ts'
import { frontDoor, type FrontDoorParts } from './front/front-door.ts'
import { visitOf, type Visit } from './front/visit.ts'
import { healthRoutes } from './health/health.ts'
import { admitRequests, type StrictLimits } from './hop/admit.ts'
import { faultName } from './hop/faults.ts'
import { PASSED_ON, passRequests } from './hop/pass.ts'
import type { Upstreams } from './hop/upstreams.ts'
import { notFound } from './refusals.ts'
import { startPageRoute } from './start-page/start-page.ts'
import type { WhoIsAsking } from './sessions/who-is-asking.ts'

export interface GatewayParts extends FrontDoorParts {
  upstreams: Upstreams
  limits: StrictLimits
  sign: ActorSigner
  clock: Clock
  whoIsAsking: WhoIsAsking
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
        parts.patience,
        config.TRUST_PROXY,
      )
    },
    clientErrorHandler: answerClientError,
    genReqId: (request) => visitOf(request).requestId,
    rewriteUrl: (request) => innerAddress(visitOf(request)),
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
    const visit = visitOf(request.raw)
    reply.headers({ ...visit.headers.record, 'x-request-id': visit.requestId, vary: 'Origin' })
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Late, because a stricter limit may have replaced the general one.
    const { allowance, cache: outcome } = visitOf(request.raw)
    if (allowance) reply.headers(Object.fromEntries(pairs(allowanceHeaders(allowance))))
    if (outcome) reply.header('x-cache', outcome)
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const visit = visitOf(request.raw)
    // A service that is down or overloaded is no error of the gateway, and under load there would be a line for every
    // request.
    if (error instanceof DependencyUnavailable) visit.fault = faultName(error)
    else if (toRefusal(error).status >= 500) parts.reportFault(error, visit)
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
      patience: parts.patience,
    })
  })
  return app
}

function innerAddress({ route, target }: Visit): string {
  return route?.to === 'gateway' ? target : PASSED_ON
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))
}
