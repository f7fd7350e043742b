import fastify, { type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { toHttpError } from '@storefront/http'
import { DependencyUnavailable, type Log } from '@storefront/service'
import { notFound, OWN_NAME } from '../errors.ts'
import { FORWARDED_ROUTE } from '../upstream/forward.ts'
import { errorName } from '../upstream/upstream-errors.ts'
import { respondToClientError } from './client-errors.ts'
import { dropBody } from './drop-body.ts'
import { serverOptions } from './http-server.ts'
import {
  createRequestContext,
  knownRequestContextOf,
  requestContextOf,
  type ContextParts,
  type RequestContext,
} from './request-context.ts'
import { reject } from './send-error.ts'
import type { Timeouts } from './timeouts.ts'

interface AppParts extends ContextParts {
  timeouts: Timeouts
  log: Log
}

/** Creates the server: how it reads a request before any hook, and how it responds to errors. */
export function createApp(parts: AppParts): FastifyInstance {
  const app: FastifyInstance = fastify({
    // The pipeline already logs one line per request.
    logger: false,
    ...serverOptions(parts.timeouts),
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
  handleErrors(app, parts.log)
  return app
}

/** @returns the address under which the framework routes a request. An error thrown here would end the process. */
function beginRequest(request: IncomingMessage, parts: AppParts): string {
  try {
    return addressInside(createRequestContext(request, parts))
  } catch (error) {
    reportFault(parts.log, error, undefined)
    request.socket.destroy()
    return FORWARDED_ROUTE
  }
}

function addressInside({ route, target }: RequestContext): string {
  return route?.to === 'gateway' ? target : FORWARDED_ROUTE
}

function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const context = requestContextOf(request.raw)
    const httpError = toHttpError(error)
    // A service that is down is not an error of the gateway, and reporting it would log a line for every request.
    if (error instanceof DependencyUnavailable) context.fault = faultOf(error)
    else if (httpError.status >= 500) reportFault(log, error, context)
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

function reportFault(log: Log, error: unknown, context: RequestContext | undefined): void {
  log.error({ err: error, requestId: context?.requestId }, 'a request failed')
}
