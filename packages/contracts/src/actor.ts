import { z } from 'zod'

/** What an admin role or a secret key may do. `*:read` and `*:write` are granted one by one. */
export const PERMISSIONS = [
  'catalog:read',
  'catalog:write',
  'inventory:write',
  'orders:read',
  'orders:write',
  'discounts:write',
  'settings:write',
  'reviews:write',
  'webhooks:write',
  'customers:read',
  'admins:write',
  'credentials:write',
] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.output<typeof Permission>

/** Roles of admin users, each a list of permissions (decisions, section 6). */
export const ROLE_PERMISSIONS = {
  owner: PERMISSIONS,
  merchandiser: ['catalog:read', 'catalog:write', 'inventory:write', 'discounts:write', 'reviews:write'],
  fulfilment: ['catalog:read', 'inventory:write', 'orders:read', 'orders:write'],
  support: ['catalog:read', 'orders:read', 'customers:read', 'reviews:write'],
} as const satisfies Record<string, readonly Permission[]>
export type AdminRole = keyof typeof ROLE_PERMISSIONS
export const AdminRole = z.enum(['owner', 'merchandiser', 'fulfilment', 'support'])

/** Who is asking, as the gateway found out and signed. Services believe nothing else about a caller. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anonymous') }),
  z.object({ kind: z.literal('customer'), customerId: z.string(), sessionId: z.string() }),
  z.object({
    kind: z.literal('admin'),
    /** The admin user, or the secret key by itself. */
    userId: z.string(),
    /** Only a person has one: what only a person may do looks for it. */
    sessionId: z.string().optional(),
    permissions: z.array(Permission),
  }),
])
export type Actor = z.output<typeof Actor>

export const ANONYMOUS: Actor = { kind: 'anonymous' }

/** Header of an HTTP request or a NATS message that carries the signed actor. */
export const ACTOR_HEADER = 'x-actor'
export const REQUEST_ID_HEADER = 'x-request-id'
/** On a request that the gateway sends again because the copy that had it broke off. */
export const REPEATED_HEADER = 'x-repeated'

/**
 * What a route demands of its caller. `admin-user` is any person who is signed in as an admin, and no secret key; `internal`
 * answers nobody through the gateway.
 */
export type Access = 'public' | 'customer' | 'admin-user' | 'internal' | { admin: Permission }
