import { z } from 'zod'

/** The permissions of an admin role or a secret key. `*:read` and `*:write` are granted separately. */
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
  'customers:write',
  'admins:write',
  'credentials:write',
] as const
export const Permission = z.enum(PERMISSIONS)
export type Permission = z.output<typeof Permission>

/** Roles of admin users, each a list of permissions. */
export const ROLE_PERMISSIONS = {
  owner: PERMISSIONS,
  merchandiser: ['catalog:read', 'catalog:write', 'inventory:write', 'discounts:write', 'reviews:write'],
  fulfilment: ['catalog:read', 'inventory:write', 'orders:read', 'orders:write'],
  support: ['catalog:read', 'orders:read', 'customers:read', 'customers:write', 'reviews:write'],
} as const satisfies Record<string, readonly Permission[]>
export type AdminRole = keyof typeof ROLE_PERMISSIONS
export const AdminRole = z.enum(['owner', 'merchandiser', 'fulfilment', 'support'])

/** Whether these are all permissions there are: those of an owner, or of a secret key that may do everything. */
export function isOwner(permissions: readonly Permission[]): boolean {
  return ROLE_PERMISSIONS.owner.every((permission) => permissions.includes(permission))
}

/** The caller of a request, as identified and signed by the gateway. Services trust nothing else about a caller. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anonymous') }),
  z.object({ kind: z.literal('customer'), customerId: z.string(), sessionId: z.string() }),
  z.object({
    kind: z.literal('admin'),
    /** The admin user, or the secret key by itself. */
    userId: z.string(),
    /** Present only for a person: operations that a key must not perform check for it. */
    sessionId: z.string().optional(),
    permissions: z.array(Permission),
  }),
])
export type Actor = z.output<typeof Actor>

export const ANONYMOUS: Actor = { kind: 'anonymous' }

/** Header of an HTTP request or a NATS message that carries the signed actor. */
export const ACTOR_HEADER = 'x-actor'
export const REQUEST_ID_HEADER = 'x-request-id'
/** Set on a request that the gateway sends again because the connection to the first replica was lost. */
export const REPEATED_HEADER = 'x-repeated'
/** Set on a request whose `Idempotency-Key` the gateway added: no client has it. */
export const ADDED_KEY_HEADER = 'x-added-key'

/**
 * The access that a route requires. `admin-user` is any person who is signed in as an admin, and no secret key;
 * `internal` is not reachable through the gateway.
 */
export type Access = 'public' | 'customer' | 'admin-user' | 'internal' | { admin: Permission }
