import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowBadge, type BadgeColor } from '../../parts/row-badge.tsx'
import type { Discount } from './discounts-queries.ts'

type DiscountState = 'active' | 'off' | 'planned' | 'ended' | 'usedUp'

const COLORS: Record<DiscountState, BadgeColor> = {
  active: 'teal',
  planned: 'indigo',
  off: 'gray',
  ended: 'gray',
  usedUp: 'orange',
}

export function DiscountBadge({ discount }: { discount: Discount }): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(discount)
  return <RowBadge color={COLORS[state]}>{t(`discounts.state.${state}`)}</RowBadge>
}

/** Whether shoppers can use a code now, and otherwise why not. */
function stateOf({ active, startsAt, endsAt, usageLimit, used }: Discount, now = new Date()): DiscountState {
  if (!active) return 'off'
  if (endsAt !== undefined && new Date(endsAt) <= now) return 'ended'
  if (usageLimit !== undefined && used >= usageLimit) return 'usedUp'
  return startsAt !== undefined && new Date(startsAt) > now ? 'planned' : 'active'
}
