import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import {
  ACTOR_HEADER,
  ANONYMOUS,
  newId,
  REQUEST_ID_HEADER,
  type Access,
  type Actor,
  type ErrorCode,
} from '@storefront/contracts'
import { listAccess } from './access-list.ts'
import {
  type ActorVerifier,
  type Log,
  DependencyUnavailable,
  HttpError,
  isWellFormedRequestId,
  withRequestId,
  failSpan,
  inSpan,
  sampledTraceId,
  type Span,
} from '@storefront/service'
import { checkAdminFields } from './admin-fields.ts'
import { PRIVATE_CACHE_CONTROL } from './caching.ts'
import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import { errorsOf, isAdminRoute, type UndeclaredErrors } from './declared-errors.ts'
import { parseJsonBody } from './json-body.ts'
import { holdLifelines, LIFELINE_PATH } from './lifeline.ts'
import { countRequest } from './http-metrics.ts'
import { methodsByPath } from './methods-by-path.ts'
import { describeApi } from './openapi.ts'
import { startServerSpan } from './trace-request.ts'
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
    /** Tells the app to stop. */
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

export interface AppOptions {
  log: Log
  verifyActor: ActorVerifier
  /** Resolves when the service can do its work, rejects when not: determines the response of GET /readyz. */
  checkReady: () => Promise<void>
  /** In bytes; 1 MiB by default. A route may allow more. */
  bodyLimit?: number
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
/** The client closed the connection before it had its response. */
export const CLIENT_GONE = 499
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
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    // A gateway whose machine is down sends nothing any more: TCP keep-alive detects that, and the connection ends.
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

  app.decorateRequest('actor')
  app.decorateRequest('actorToken')
  app.decorateRequest('span')
  app.decorateRequest('sentBack')
  const methodsOf = methodsByPath(app)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not declare its access`)
  })
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
    // Tells the client to reconnect elsewhere. A connection that stays open after its last response would delay the
    // stop until it times out, and the next request on it might be lost.
    if (app.isStopping) reply.header('connection', 'close')
    // The framework would close the connection on a body that is too large, and the response would be lost with the
    // body still being sent.
    else reply.removeHeader('connection')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The unread remainder of a body would be taken for the next request on the same connection: it is read and
    // dropped.
    request.raw.unpipe().removeAllListeners('readable').resume()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const { method } = request
    const route = request.routeOptions.url
    // A lifeline lasts as long as the process, so its duration shows nothing about speed.
    if (route === LIFELINE_PATH) return done()
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
    done()
  })

  app.setErrorHandler((error, request, reply) => {
    const undeclared = undeclaredCode(error, request)
    if (undeclared === undefined) return sendError(error, request, reply)
    const { method, url } = request.routeOptions
    request.log.warn(
      { requestId: request.id, route: url, code: undeclared },
      'an error code is not declared by its route',
    )
    if (options.undeclaredErrors !== 'reject') return sendError(error, request, reply)
    return sendError(new Error(`${String(method)} ${url} does not declare ${undeclared}`), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url)
    if (allowed.length === 0)
      return sendError(new HttpError('not_found', 'This address does not exist.'), request, reply)
    reply.header('allow', allowed.join(', '))
    return sendError(new HttpError('method_not_allowed', 'This method is not allowed here.'), request, reply)
  })

  listAccess(app)
  await describeApi(app)
  holdLifelines(app)
  app.get('/healthz', { config: { access: 'public' }, schema: { hide: true } }, () => ({ ok: true }))
  app.get('/readyz', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    if (app.isStopping) throw new DependencyUnavailable('this replica')
    await options.checkReady()
    return { ok: true }
  })
  return app
}

/** @returns the code of an error that its route does not declare, undefined when it does */
function undeclaredCode(error: unknown, { routeOptions }: FastifyRequest): ErrorCode | undefined {
  const { code } = toHttpError(error)
  return errorsOf(routeOptions).includes(code) ? undefined : code
}

/** The error for an actor on a route of this access; undefined when the actor may pass. */
export function accessErrorFor(access: Access | undefined, actor: Actor): HttpError | undefined {
  if (access === undefined || access === 'public' || access === 'internal') return undefined
  if (access === 'customer') {
    if (actor.kind === 'customer') return undefined
    return new HttpError('unauthenticated', 'Please sign in to continue.')
  }
  if (actor.kind === 'anonymous') return new HttpError('unauthenticated', 'Please sign in to continue.')
  if (access === 'admin-user') {
    return actor.kind === 'admin' && actor.sessionId !== undefined ? undefined : notAllowed()
  }
  if (actor.kind === 'admin' && actor.permissions.includes(access.admin)) return undefined
  return notAllowed({ permission: access.admin })
}

function notAllowed(detail?: { permission: string }): HttpError {
  return new HttpError('forbidden', 'You are not allowed to do this.', { detail })
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

/**
 * A repeated parameter counts with its first value: `?page=1&page=2` does not become an array that the schema would
 * reject.
 */
function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}

/**
 * Sends any error as `{ message, code, requestId, detail? }`. Only the message of an HttpError is shown to the caller.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const httpError = toHttpError(error)
  failSpan(request.span, httpError)
  if (httpError.status >= 500) {
    const level = httpError instanceof DependencyUnavailable ? 'warn' : 'error'
    request.log[level](
      {
        err: error,
        cause: httpError.cause,
        requestId: request.id,
        traceId: sampledTraceId(request.span),
        route: request.routeOptions.url,
      },
      'a request failed',
    )
  }
  if (httpError.retryAfterSeconds !== undefined) reply.header('retry-after', String(httpError.retryAfterSeconds))
  if (reply.getHeader('cache-control') === undefined || httpError.status >= 400) {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
  }
  reply.removeHeader('etag')
  reply.header(REQUEST_ID_HEADER, request.id)
  return reply
    .code(httpError.status)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({
      message: httpError.message,
      code: httpError.code,
      requestId: request.id,
      ...(httpError.detail === undefined ? {} : { detail: httpError.detail }),
    })
}

/** What a caller learns of an error: an HttpError as it is, framework errors and internal errors in a general form. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (isOutage(error) || isDatabaseTimeout(error)) return new DependencyUnavailable('a server', error)
  if (hasZodFastifySchemaValidationErrors(error)) {
    return new HttpError('validation_failed', 'Something in this request is missing or not valid.', {
      detail: {
        issues: error.validation.slice(0, 100).map((issue) => ({
          path: issue.instancePath.slice(1).replaceAll('/', '.'),
          message: issue.message ?? 'is not valid',
        })),
      },
    })
  }
  return (error instanceof Error && 'code' in error && FRAMEWORK_ERRORS[String(error.code)]?.()) || internalError()
}

function internalError(): HttpError {
  return new HttpError('internal_error', 'Something went wrong on our side. Please try again.')
}

/** Fastify's own errors that the caller caused. */
const FRAMEWORK_ERRORS: Record<FastifyError['code'], () => HttpError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new HttpError('payload_too_large', 'The request is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new HttpError('unsupported_media_type', 'This content type is not supported.', {
      detail: { accepted: ['application/json'] },
    }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new HttpError('bad_request', 'The request is incomplete.'),
  FST_ERR_BAD_URL: () => new HttpError('not_found', 'This address does not exist.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new HttpError('uri_too_long', 'This address is too long.'),
  FST_ERR_ASYNC_CONSTRAINT: () => new HttpError('not_found', 'This address does not exist.'),
}
