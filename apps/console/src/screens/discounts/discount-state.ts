import type { Discount } from './discounts-queries.ts'

export type DiscountState = 'active' | 'off' | 'planned' | 'ended' | 'usedUp'

/** Whether shoppers can use a code now, and otherwise why not. */
export function stateOf({ active, startsAt, endsAt, usageLimit, used }: Discount, now = new Date()): DiscountState {
  if (!active) return 'off'
  if (endsAt !== undefined && new Date(endsAt) <= now) return 'ended'
  if (usageLimit !== undefined && used >= usageLimit) return 'usedUp'
  return startsAt !== undefined && new Date(startsAt) > now ? 'planned' : 'active'
}
