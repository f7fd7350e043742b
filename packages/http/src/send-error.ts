import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { REQUEST_ID_HEADER } from '@storefront/contracts'
import { isDatabaseTimeout, isOutage, isSerializationFailure } from '@storefront/postgres'
import { DependencyUnavailable, errorCode, failSpan, HttpError, sampledTraceId } from '@storefront/service'
import { PRIVATE_CACHE_CONTROL } from './caching.ts'
import { isAdminRoute } from './declared-errors.ts'
import { fieldIssues } from './field-issues.ts'
import { invalidRequest } from './invalid-request.ts'

/**
 * Sends any error as `{ message, code, requestId, detail? }`. Only the message of an HttpError is shown to the caller.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const httpError = reportError(error, request, reply)
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

/**
 * Logs an error that a caller did not cause, and sets the header `retry-after`.
 * @returns what the caller learns of it
 */
export function reportError(error: unknown, request: FastifyRequest, reply: FastifyReply): HttpError {
  const httpError = toHttpError(error, { isForBuyer: !isAdminRoute(request.routeOptions.url) })
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
  return httpError
}

/**
 * What a caller learns of an error: an HttpError unchanged, framework errors and internal errors in a general form.
 * @param options.isForBuyer whether the message of an invalid request names what a buyer has to correct
 */
export function toHttpError(error: unknown, { isForBuyer = false } = {}): HttpError {
  if (error instanceof HttpError) return error
  // A serialization failure reaches this only after three attempts of `transaction`.
  const isTemporary = isOutage(error) || isDatabaseTimeout(error) || isSerializationFailure(error)
  if (isTemporary) return new DependencyUnavailable('a server', error)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = fieldIssues(
      error.validation.map(({ instancePath, message = 'is not valid' }) => ({
        path: instancePath.split('/').slice(1).filter(Boolean),
        message,
      })),
    )
    return invalidRequest(issues, { place: error.validationContext, isForBuyer })
  }
  const internalError = () => new HttpError('internal_error', 'Something went wrong on our side. Please try again.')
  return (FRAMEWORK_ERRORS[errorCode(error) ?? ''] ?? internalError)()
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
