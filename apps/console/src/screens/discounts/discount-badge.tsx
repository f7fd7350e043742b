import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowBadge, type BadgeColor } from '../../parts/row-badge.tsx'
import { stateOf, type DiscountState } from './discount-state.ts'
import type { Discount } from './discounts-queries.ts'

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
