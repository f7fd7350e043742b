import { RouteAccess, SERVICE_ACCESS_PATH } from '@storefront/http'
import {
  ROLE_PERMISSIONS,
  SERVICE_NAMES,
  type AdminRole,
  type Permission,
  type ServiceName,
} from '@storefront/contracts'
import { z } from 'zod'

export interface ServiceRoute extends RouteAccess {
  service: ServiceName
}

const ResponseBody = z.object({ routes: z.array(RouteAccess) })
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The routes that the gateway serves itself. All are public. */
const GATEWAY_ROUTES: readonly ServiceRoute[] = [
  '/healthz',
  '/readyz',
  '/readyz/gateway',
  '/openapi.json',
  '/docs',
].map((path) => ({
  service: 'gateway',
  method: 'GET',
  path,
  access: 'public',
}))

/**
 * Requests the routes of every running service, with who may call each.
 * @returns sorted by path, then by method; without internal routes, which no request from outside reaches
 */
export async function readAccess(services: Record<ServiceName, { url: string }>): Promise<ServiceRoute[]> {
  const lists = await Promise.all(
    SERVICE_NAMES.filter((name) => name !== 'gateway').map(async (service): Promise<ServiceRoute[]> => {
      const response = await fetch(services[service].url + SERVICE_ACCESS_PATH)
      const { routes } = ResponseBody.parse(await response.json())
      return routes.map((route) => ({ ...route, service }))
    }),
  )
  // The probes of a service are requested at its own port. Those of the shop are served by the gateway.
  const outside = lists.flat().filter(({ access, path }) => access !== 'internal' && !/^\/(healthz|readyz)$/.test(path))
  return [...GATEWAY_ROUTES, ...outside].toSorted((one, other) => {
    if (one.path !== other.path) return one.path < other.path ? -1 : 1
    return METHODS.indexOf(one.method) - METHODS.indexOf(other.method)
  })
}

const ROLES: readonly AdminRole[] = ['owner', 'merchandiser', 'fulfilment', 'support']

/** The page docs/access.md: every route, and who may call it. */
export function accessPage(routes: readonly ServiceRoute[]): string {
  const forShoppers = routes.filter(({ access }) => access === 'public' || access === 'customer')
  const forMerchants = routes.filter(({ access }) => access === 'admin-user' || typeof access === 'object')
  return `# Who may call which route

For integrators and reviewers. Written by \`npm run access\` from the declarations of the running services; a test compares both, and calls every
route as each kind of caller.

- **Public**: needs no token, and ignores an invalid one. A record with an owner (a cart, an order) is shown to its owner,
  or to the browser that made it; for others it is 404.
- **Customer**: needs the token of \`POST /auth/login\`; without one 401. A customer sees only their own records: all others
  are 404.
- **Any admin user**: a person who is signed in, whatever the role; a secret key gets 403.
- **Permission**: needs an admin whose role has it, or a secret key (\`sk_…\`) with it. Without a token, or with an
  expired or revoked one, 401; with a customer's token, a publishable key or without the permission 403.
- A publishable key (\`pk_…\`) gives no more rights than no token, and gets 403 under \`/admin\`.
- \`GET /admin/console/updates\` is for the console alone, and needs its cookie; each user receives the names of what
  their role may read.
- \`GET /admin/activity\` shows each caller the areas that their permissions cover, see [security.md](security.md#the-audit).
- A disabled admin, a revoked key and a revoked session lose their permissions with the response to that request;
  how outages affect this is in [security.md](security.md#tokens-and-sessions).

## Shoppers and the storefront

${table(
  ['Route', 'Who', 'Service'],
  forShoppers.map(({ method, path, access, service }) => [
    `\`${method} ${path}\``,
    access === 'customer' ? 'customer' : 'public',
    service,
  ]),
)}

## Merchants

${table(
  ['Route', 'Permission', ...ROLES, 'Service'],
  forMerchants.map(({ method, path, access, service }) => [
    `\`${method} ${path}\``,
    typeof access === 'object' ? `\`${access.admin}\`` : 'any admin user',
    ...ROLES.map((role) => (typeof access !== 'object' || holds(role, access.admin) ? 'yes' : '')),
    service,
  ]),
)}
`
}

export function holds(role: AdminRole, permission: Permission): boolean {
  const held: readonly Permission[] = ROLE_PERMISSIONS[role]
  return held.includes(permission)
}

/** As the formatter would write it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n')
}
