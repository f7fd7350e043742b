import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { newId, REQUEST_ID_HEADER, type Access, type Actor, type ErrorCode } from '@storefront/contracts'
import {
  type ActorVerifier,
  type Log,
  DependencyUnavailable,
  HttpError,
  isWellFormedRequestId,
  type Span,
} from '@storefront/service'
import { listAccess } from './access-list.ts'
import { errorsOf, type UndeclaredErrors } from './declared-errors.ts'
import { addHeartbeatRoute } from './heartbeat.ts'
import { parseJsonBody } from './json-body.ts'
import { methodsByPath } from './methods-by-path.ts'
import { describeApi } from './openapi.ts'
import { addRequestHooks } from './request-hooks.ts'
import { sendError, toHttpError } from './send-error.ts'
import type { SentBackField } from './unknown-fields.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. A service with a route that does not declare it fails to start. */
    access?: Access
    /** Error codes that this route may return besides those that follow from its method and its access. */
    errors?: readonly ErrorCode[]
  }
  interface FastifyInstance {
    /**
     * True once the app begins to stop: it still serves, reports that it is not ready, and closes connections after
     * each response.
     */
    isStopping: boolean
    /** Makes the app begin to stop. */
    beginStop: () => void
  }
  interface FastifyRequest {
    actor: Actor
    /** The signed actor as it came, to be passed on with a request over NATS. */
    actorToken: string | undefined
    /** Undefined while tracing is off. */
    span: Span | undefined
    /** Read-only fields in the body of a request under /admin. */
    sentBack: readonly SentBackField[]
  }
}

interface AppOptions {
  log: Log
  verifyActor: ActorVerifier
  /** Resolves when the service can do its work, rejects when not: determines the response of GET /readyz. */
  checkReady: () => Promise<void>
  /** What happens to an error whose code the route does not declare; `log` by default. */
  undeclaredErrors?: UndeclaredErrors
}

/**
 * The longest URL, path and query as they are sent. A search may have 9,000 characters, of which an emoji takes twelve
 * bytes when it is percent-encoded; filters may be added to it.
 */
export const MAX_ADDRESS_BYTES = 128 * 1024
/** All headers of a request together, besides its URL. */
export const MAX_HEADERS_BYTES = 16 * 1024
/**
 * The maximum header size of a service: all that the gateway lets through, and as much again for headers that it adds.
 */
export const MAX_SERVICE_HEAD_BYTES = MAX_ADDRESS_BYTES + 2 * MAX_HEADERS_BYTES

/**
 * The HTTP side of a service: zod in and out, JSON errors, access per route with its cache headers, health, readiness
 * and an OpenAPI description. Routes are added by the caller.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { log, verifyActor } = options
  const loggerInstance: FastifyBaseLogger = log
  const app: App = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request would cost more than the line it seldom writes, which names the request.
    childLoggerFactory: (logger) => logger,
    // A route may allow more.
    bodyLimit: 1024 * 1024,
    // A gateway whose machine is down sends nothing: TCP keep-alive detects that, and the connection ends.
    http: { maxHeaderSize: MAX_SERVICE_HEAD_BYTES, keepAlive: true, keepAliveInitialDelay: 60_000 },
    // The gateway cuts off slow clients. Its requests may be an import that takes hours, as long as it makes progress,
    // or a write that processes a whole catalog without a byte in either direction.
    requestTimeout: 0,
    connectionTimeout: 0,
    // Longer than the gateway keeps an idle connection, so that the service is never the one that closes first.
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 1000, querystringParser: parseQuery },
    genReqId: (request) => {
      const given = request.headers[REQUEST_ID_HEADER]
      return isWellFormedRequestId(given) ? given : newId('request')
    },
    // URLs that never reach a route get an error in the same form as all others.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    // Requests that were on their way when the stop began are served like all before.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(String(body)))
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })

  addRequestHooks(app, verifyActor)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not declare its access`)
  })
  addErrorHandlers(app, options.undeclaredErrors)

  listAccess(app)
  await describeApi(app)
  addHeartbeatRoute(app)
  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, () => ({ ok: true }))
  app.get('/readyz', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    if (app.isStopping) throw new DependencyUnavailable('this replica')
    await options.checkReady()
    return { ok: true }
  })
  return app
}

function addErrorHandlers(app: App, undeclaredErrors: UndeclaredErrors | undefined): void {
  const methodsOf = methodsByPath(app)
  app.setErrorHandler((error, request, reply) => {
    const undeclared = undeclaredCode(error, request)
    if (undeclared === undefined) return sendError(error, request, reply)
    const { method, url } = request.routeOptions
    request.log.warn(
      { requestId: request.id, route: url, code: undeclared },
      'an error code is not declared by its route',
    )
    if (undeclaredErrors !== 'reject') return sendError(error, request, reply)
    return sendError(new Error(`${String(method)} ${url} does not declare ${undeclared}`), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url)
    if (allowed.length === 0)
      return sendError(new HttpError('not_found', 'This address does not exist.'), request, reply)
    reply.header('allow', allowed.join(', '))
    return sendError(new HttpError('method_not_allowed', 'This method is not allowed here.'), request, reply)
  })
}

/** @returns the code of an error that its route does not declare, undefined when it does */
function undeclaredCode(error: unknown, { routeOptions }: FastifyRequest): ErrorCode | undefined {
  const { code } = toHttpError(error)
  return errorsOf(routeOptions).includes(code) ? undefined : code
}

/**
 * A repeated parameter counts with its first value: `?page=1&page=2` does not become an array that the schema would
 * reject.
 */
function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  // The router calls this for every request, and most have no query.
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}
