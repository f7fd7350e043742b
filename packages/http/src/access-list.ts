import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Permission } from '@storefront/contracts'

/**
 * The path at which a service lists who may call which of its routes, including those that the API description hides.
 */
export const SERVICE_ACCESS_PATH = '/internal/access.json'

export const RouteAccess = z.object({
  method: z.string(),
  /** With `:name` for path parameters. */
  path: z.string(),
  access: z.union([z.enum(['public', 'customer', 'admin-user', 'internal']), z.object({ admin: Permission })]),
})
export type RouteAccess = z.output<typeof RouteAccess>

/** Collects every route that is registered after this call with the access it declares, and serves the list. */
export function listAccess(app: FastifyInstance): void {
  const routes: RouteAccess[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const methods = [method].flat().filter((name) => name !== 'HEAD')
    routes.push(...methods.map((name) => ({ method: name, path: url, access: config?.access ?? 'internal' })))
  })
  app.get(SERVICE_ACCESS_PATH, { config: { access: 'internal' }, schema: { hide: true } }, () => ({ routes }))
}
