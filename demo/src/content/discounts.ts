import type { DiscountInput } from '@storefront/contracts'
import { daysBefore } from '../dates.ts'

export function discounts(now: Date): DiscountInput[] {
  const at = (days: number): string => daysBefore(now, days, () => 0)
  return [
    {
      code: 'WELCOME10',
      kind: 'percent',
      value: 10,
      label: '10% off your first order',
      active: true,
      perCustomerLimit: 1,
    },
    { code: 'FREESHIP', kind: 'shipping', value: 0, label: 'Free standard shipping', active: true },
    { code: 'SAVE20', kind: 'fixed', value: 2000, label: '$20 off orders over $100', active: true, minSubtotal: 10000 },
    {
      code: 'KNITS15',
      kind: 'percent',
      value: 15,
      label: '15% off knitwear',
      active: true,
      categories: ['women-knitwear', 'men-knitwear'],
      usageLimit: 500,
    },
    {
      code: 'LINEN25',
      kind: 'percent',
      value: 25,
      label: '25% off linen',
      active: true,
      startsAt: at(150),
      endsAt: at(60),
    },
  ]
}
