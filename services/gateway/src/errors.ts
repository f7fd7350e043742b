import { DependencyUnavailable, HttpError, waitInWords } from '@storefront/service'

/** The errors of the gateway itself. */
export const notFound = () => new HttpError('not_found', 'This address does not exist.')
export const methodNotAllowed = () => new HttpError('method_not_allowed', 'This method is not allowed here.')
export const addressTooLong = () => new HttpError('uri_too_long', 'The URL is too long.')
/** These two have a status of their own, under the code for malformed requests. */
export const headersTooLarge = () =>
  Object.assign(new HttpError('bad_request', 'The headers of the request are too large.'), { status: 431 })
export const headTooLarge = () => new HttpError('uri_too_long', 'The URL or a header is too long.')
export const requestTimeout = () =>
  Object.assign(new HttpError('bad_request', 'The request took too long.'), { status: 408 })
export const bodyTooLarge = () => new HttpError('payload_too_large', 'The request is too large.')
export const badRequest = () => new HttpError('bad_request', 'The request could not be understood.')
export const tooMany = (retryAfterSeconds: number) =>
  new HttpError('rate_limited', `Too many attempts. Try again in ${waitInWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  })
export const unauthenticated = () => new HttpError('unauthenticated', 'Please sign in to continue.')
export const forbidden = () => new HttpError('forbidden', 'You are not allowed to do this.')
/** The dependency that an error of overload names. */
export const OWN_NAME = 'gateway'
export const overloaded = () => new DependencyUnavailable(OWN_NAME)
export const serviceUnavailable = (service: string, cause?: unknown) => new DependencyUnavailable(service, cause)
export const gatewayTimeout = () =>
  new HttpError('gateway_timeout', 'This is taking longer than it should. Please try again.', { retryAfterSeconds: 2 })
export const badGateway = () => new HttpError('bad_gateway', 'Something went wrong on our side. Please try again.')
