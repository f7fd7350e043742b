import { clientNetwork } from '@storefront/http'
import type { FastifyInstance } from 'fastify'
import { dropBody } from '../front/drop-body.ts'
import { isSmall } from '../front/gather-body.ts'
import { countRateLimited } from '../front/rejection-metrics.ts'
import { isRead, requestContextOf } from '../front/request-context.ts'
import type { StrictLimit } from '../rate-limit/strict-limit.ts'
import { consoleTokenOf } from '../sessions/console-token.ts'
import { bodyTooLarge, forbidden, tooMany } from '../errors.ts'
import type { Route } from '../front/routes.ts'
import { isPublishableKey, type IdentifyCaller } from '../sessions/identify-caller.ts'
import { announcedLength, bodyLimitOf } from './body-limit.ts'
import { forwardedBody } from './forwarded-body.ts'

export type StrictLimits = Record<NonNullable<Route['limit']>, StrictLimit>

/** The checks of a request before it is forwarded, and the caller it comes from. */
export function admitRequests(
  app: FastifyInstance,
  options: { limits: StrictLimits; identifyCaller: IdentifyCaller },
): void {
  app.addHook('onRequest', async (request) => {
    const context = requestContextOf(request.raw)
    const { route } = context
    if (!route) return
    if (route.limit !== undefined && context.method === 'POST') {
      const allowance = await options.limits[route.limit].count(clientNetwork(context.address))
      if (allowance) {
        context.allowance = allowance
        if (allowance.exceeded) {
          countRateLimited(route.limit)
          throw tooMany(allowance.resetSeconds)
        }
      }
    }
    const length = announcedLength(request.headers)
    if (length !== undefined && length > bodyLimitOf(route, request.headers['content-type'])) throw bodyTooLarge()
    const { authorization } = request.headers
    // Authenticated but not allowed, which differs from not authenticated (docs/contract.md).
    if (authorization !== undefined && isPublishableKey(authorization) && isAdminOnly(route)) throw forbidden()
    const consoleToken = isAdmin(route) ? consoleTokenOf(request.headers, context.https) : undefined
    if (authorization === undefined && consoleToken === undefined) return
    context.actor = await options.identifyCaller({ authorization, consoleToken }, clientNetwork(context.address))
  })

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const context = requestContextOf(request.raw)
    const { route } = context
    if (isRead(context)) {
      // Nothing uses the body of a read, and if it were left unread it would block the next request.
      dropBody(request.raw)
      return done(null, payload)
    }
    // It was read before this hook, and is forwarded from memory.
    if (!route || isSmall(request.raw)) return done(null, payload)
    done(null, forwardedBody(request.raw, payload, bodyLimitOf(route, request.headers['content-type'])))
  })
}

function isAdmin(route: Route): boolean {
  return route.path.startsWith('/admin/')
}

function isAdminOnly(route: Route): boolean {
  return isAdmin(route) && route.path !== '/admin/auth/login' && route.path !== '/admin/console/session'
}
