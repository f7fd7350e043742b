import { CLOCK_SKEW_MS, type Permission } from '@storefront/contracts'

/** Decisions, section 6. */
const HOUR_MS = 3600 * 1000
export const CUSTOMER_SESSION_MS = 30 * 24 * HOUR_MS
export const ADMIN_SESSION_MS = 12 * HOUR_MS
/** Nobody has so many devices: whoever signs in once more ends the oldest. */
export const OPEN_CUSTOMER_SESSIONS = 100
/**
 * How long after its end a token may still be taken somewhere: whoever compares tolerates the difference of clocks, and
 * its own may be behind by as much.
 */
export const TAKEN_AFTER_END_MS = 2 * CLOCK_SKEW_MS

export type SessionOwner =
  | { kind: 'customer'; customerId: string }
  | { kind: 'admin'; adminUserId: string; permissions: readonly Permission[] }

export function sessionEnd(owner: SessionOwner, now: Date): Date {
  return new Date(now.getTime() + (owner.kind === 'customer' ? CUSTOMER_SESSION_MS : ADMIN_SESSION_MS))
}
