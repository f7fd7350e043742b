import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { stateOf, type DiscountState } from './discount-state.ts'
import type { Discount } from './discounts-queries.ts'

const COLORS: Record<DiscountState, string> = {
  active: 'teal',
  planned: 'indigo',
  off: 'gray',
  ended: 'gray',
  usedUp: 'orange',
}

export function DiscountBadge({ discount }: { discount: Discount }): ReactNode {
  const { t } = useTranslation()
  const state = stateOf(discount)
  return (
    <Badge variant="light" color={COLORS[state]}>
      {t(`discounts.state.${state}`)}
    </Badge>
  )
}
