import { HOUR_MS, DAY_MS } from '@storefront/service'
import { CLOCK_SKEW_MS, type Permission } from '@storefront/contracts'

/** The durations are part of the contract (docs/contract.md). */
export const CUSTOMER_SESSION_MS = 30 * DAY_MS
const ADMIN_SESSION_MS = 12 * HOUR_MS
/** More than the devices of any customer: one more sign-in ends the oldest session. */
export const OPEN_CUSTOMER_SESSIONS = 100
/**
 * How long after its end a token may still be accepted: verifiers tolerate clock differences, and their own clock may
 * be behind by as much.
 */
export const ACCEPTED_AFTER_END_MS = 2 * CLOCK_SKEW_MS

export type SessionOwner =
  | { kind: 'customer'; customerId: string }
  | { kind: 'admin'; adminUserId: string; permissions: readonly Permission[] }

export function sessionEnd(owner: SessionOwner, now: Date): Date {
  return new Date(now.getTime() + (owner.kind === 'customer' ? CUSTOMER_SESSION_MS : ADMIN_SESSION_MS))
}
