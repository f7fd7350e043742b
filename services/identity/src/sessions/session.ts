import type { Permission } from '@storefront/contracts'

/** Decisions, section 6. */
const HOUR_MS = 3600 * 1000
export const CUSTOMER_SESSION_MS = 30 * 24 * HOUR_MS
export const ADMIN_SESSION_MS = 12 * HOUR_MS
/** Clocks of two machines differ; a token counts as expired everywhere only this long after its end. */
export const CLOCK_SKEW_MS = 60_000

export type SessionOwner =
  { kind: 'customer'; customerId: string } | { kind: 'admin'; adminUserId: string; permissions: readonly Permission[] }

export function sessionEnd(owner: SessionOwner, now: Date): Date {
  return new Date(now.getTime() + (owner.kind === 'customer' ? CUSTOMER_SESSION_MS : ADMIN_SESSION_MS))
}

/** A session that was ended before its time, which Redis must remember for as long as its token looks valid. */
export interface RevokedSession {
  id: string
  expires_at: Date
}

/** Read by the gateway with every token it meets. */
export function revokedSessionKey(namespace: string, sessionId: string): string {
  return `${namespace}:revoked:${sessionId}`
}
