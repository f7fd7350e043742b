import compress from '@fastify/compress'
import fastify, { type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { constants } from 'node:zlib'
import { DependencyUnavailable, type ActorSigner, type Clock } from '@storefront/service'
import { toHttpError } from '@storefront/http'
import { consoleRoutes } from './console/console.ts'
import { docsRoutes } from './docs/docs.ts'
import { openapiRoute } from './docs/openapi.ts'
import { dropBody } from './front/drop-body.ts'
import { allowanceHeaders } from './rate-limit/allowance.ts'
import { respondToClientError } from './front/client-errors.ts'
import { addRequestPipeline, type PipelineParts } from './front/request-pipeline.ts'
import { addConnectionLimits, serverOptions } from './front/http-server.ts'
import {
  createRequestContext,
  knownRequestContextOf,
  requestContextOf,
  type RequestContext,
} from './front/request-context.ts'
import { reject } from './front/send-error.ts'
import { healthRoutes } from './health/health.ts'
import { admitRequests, type StrictLimits } from './upstream/admit.ts'
import { errorName } from './upstream/upstream-errors.ts'
import { FORWARDED_ROUTE, forwardRequests } from './upstream/forward.ts'
import type { Upstreams } from './upstream/upstreams.ts'
import { notFound, OWN_NAME } from './errors.ts'
import type { LiveUpdates } from './live-updates/live-updates.ts'
import { liveUpdatesRoute } from './live-updates/live-updates-route.ts'
import { startPageRoute } from './start-page/start-page.ts'
import type { IdentifyCaller } from './sessions/identify-caller.ts'

export interface GatewayParts extends PipelineParts {
  upstreams: Upstreams
  limits: StrictLimits
  sign: ActorSigner
  clock: Clock
  identifyCaller: IdentifyCaller
  updates: LiveUpdates
  reportFault: (error: unknown, context: RequestContext | undefined) => void
}

/** The order in which the gateway handles a request: the pipeline, then its own routes, then the services. */
export async function createGateway(parts: GatewayParts): Promise<FastifyInstance> {
  const { config, timeouts, upstreams, clock, sign, cache } = parts
  const app: FastifyInstance = fastify({
    // The pipeline already logs one line per request.
    logger: false,
    ...serverOptions(timeouts),
    clientErrorHandler: respondToClientError,
    // The first hook of a request. The framework routes only the gateway's own pages: it would decode a path, and a
    // service must get the path exactly as it was sent.
    rewriteUrl: (request) => beginRequest(request, parts),
    // Without a context the connection is cut before the id is used.
    genReqId: (request) => knownRequestContextOf(request)?.requestId ?? '',
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

  addConnectionLimits(app, timeouts, config.TRUST_PROXY)
  addRequestPipeline(app, parts)
  addResponseHeaders(app)
  handleErrors(app, parts.reportFault)

  healthRoutes(app, { upstreams, clock })
  openapiRoute(app, { upstreams, clock, basePath: config.PUBLIC_BASE_PATH })
  docsRoutes(app, { basePath: config.PUBLIC_BASE_PATH })
  liveUpdatesRoute(app, parts)
  consoleRoutes(app, { basePath: config.PUBLIC_BASE_PATH })
  startPageRoute(app, { basePath: config.PUBLIC_BASE_PATH, storefronts: config.STOREFRONT_ORIGINS, clock })
  await app.register(async (forwarding) => {
    admitRequests(forwarding, parts)
    await forwardRequests(forwarding, {
      upstreams,
      sign,
      trustedProxies: config.TRUST_PROXY,
      basePath: config.PUBLIC_BASE_PATH,
      purge: (tags) => cache.purge(tags),
      timeouts: parts.timeouts,
    })
  })
  return app
}

/** @returns the address under which the framework routes a request. An error thrown here would end the process. */
function beginRequest(request: IncomingMessage, parts: GatewayParts): string {
  try {
    return addressInside(createRequestContext(request, parts))
  } catch (error) {
    parts.reportFault(error, undefined)
    request.socket.destroy()
    return FORWARDED_ROUTE
  }
}

function addressInside({ route, target }: RequestContext): string {
  return route?.to === 'gateway' ? target : FORWARDED_ROUTE
}

function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, requestId } = requestContextOf(request.raw)
    reply.headers(headers.record).header('x-request-id', requestId).header('vary', 'Origin')
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Set as late as possible, because a stricter limit may have replaced the general one.
    const { allowance, cache: outcome } = requestContextOf(request.raw)
    if (allowance) for (const [name, value] of pairs(allowanceHeaders(allowance))) reply.header(name, value)
    if (outcome) reply.header('x-cache', outcome)
    done()
  })
}

function handleErrors(app: FastifyInstance, reportFault: GatewayParts['reportFault']): void {
  app.setErrorHandler((error, request, reply) => {
    const context = requestContextOf(request.raw)
    const httpError = toHttpError(error)
    // A service that is down is not an error of the gateway, and reporting it would log a line for every request.
    if (error instanceof DependencyUnavailable) context.fault = faultOf(error)
    else if (httpError.status >= 500) reportFault(error, context)
    dropBody(request.raw)
    const allow = reply.getHeader('allow')
    reply.hijack()
    reject(reply.raw, context, httpError, allow === undefined ? [] : ['allow', String(allow)])
  })
  app.setNotFoundHandler(() => {
    throw notFound()
  })
}

/** An overload of the gateway itself is not a fault of a service: rejection-metrics.ts counts it. */
function faultOf(error: DependencyUnavailable): string | undefined {
  return error.dependency === OWN_NAME ? undefined : errorName(error)
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))
}
