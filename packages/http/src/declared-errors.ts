import type { RouteOptions } from 'fastify'
import type { Access, ErrorCode } from '@storefront/contracts'

/**
 * How undeclared error codes are treated: in production they are sent with a warning in the log, in tests they fail.
 */
export type UndeclaredErrors = 'log' | 'reject'

const EVERY_ROUTE: readonly ErrorCode[] = ['validation_failed', 'rate_limited', 'internal_error', 'service_unavailable']
/** Any request but a read may have a body, whether the route reads it or not. */
const WITH_A_BODY: readonly ErrorCode[] = ['bad_json', 'bad_request', 'payload_too_large', 'unsupported_media_type']
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD'])

/** The part of a route that determines its error codes. */
interface RouteErrors {
  method: RouteOptions['method']
  url?: string | undefined
  config?: { access?: Access; errors?: readonly ErrorCode[] }
}

/**
 * Lists the error codes that a route may return: those that follow from its method, its path and its access, and those
 * that it declares.
 * @returns each code once, in alphabetical order
 */
export function errorsOf({ method, url, config = {} }: RouteErrors): ErrorCode[] {
  const methods = [method].flat()
  const codes = new Set<ErrorCode>([
    ...EVERY_ROUTE,
    ...(methods.every((name) => METHODS_WITHOUT_BODY.has(name)) ? [] : WITH_A_BODY),
    ...(isAdminRoute(url) ? ['unknown_field' as const] : []),
    ...errorsOfAccess(config.access),
    ...(config.errors ?? []),
  ])
  return [...codes].toSorted()
}

/** @returns whether unknown names are rejected there: a field or parameter that the route does not have is an error */
export function isAdminRoute(url: string | undefined): boolean {
  return url?.startsWith('/admin/') === true
}

function errorsOfAccess(access: Access | undefined): ErrorCode[] {
  if (access === undefined || access === 'public' || access === 'internal') return []
  return access === 'customer' ? ['unauthenticated'] : ['unauthenticated', 'forbidden']
}
