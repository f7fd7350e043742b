import { t } from 'i18next'
import { AlreadyExists } from '../../parts/already-exists.ts'
import { exampleAmount } from '../../parts/amounts.ts'
import { faultsOf as issuesOf } from '../settings/faults.ts'
import { codeOf, type DiscountValues } from './discount-values.ts'

type Faults = Partial<Record<keyof DiscountValues, string>>

/** What a person must change before the discount can be saved. */
export function faultsOf(values: DiscountValues, currency: string): Faults {
  const faults: Faults = {}
  if (!/^[^\s/]{1,50}$/.test(codeOf(values))) faults.code = t('discounts.fault.code')
  if (!isValidWorth(values)) {
    faults.worth = t(values.kind === 'percent' ? 'discounts.fault.percent' : 'discounts.fault.amount')
  }
  if (typeof values.minSubtotal === 'string' && values.minSubtotal !== '') {
    faults.minSubtotal = t('common.notAmount', { example: exampleAmount(currency) })
  }
  if (values.startsAt !== '' && values.endsAt !== '' && new Date(values.endsAt) <= new Date(values.startsAt)) {
    faults.endsAt = t('discounts.fault.period')
  }
  for (const name of ['usageLimit', 'perCustomerLimit'] as const) {
    // JSON has no NaN: the shop would receive null, and remove the limit.
    if (!Number.isInteger(Number(values[name]))) faults[name] = t('fields.whole')
  }
  return faults
}

function isValidWorth({ kind, worth }: DiscountValues): boolean {
  if (kind === 'shipping') return true
  if (typeof worth === 'string') return false
  return kind === 'percent' ? Number.isInteger(worth) && worth >= 1 && worth <= 100 : worth > 0
}

const FIELD_OF: Record<string, keyof DiscountValues> = { value: 'worth' }

/** What the shop says about single fields, such as a product that does not exist. */
export function faultsOfShop(error: unknown): Record<string, string> {
  if (error instanceof AlreadyExists) return { code: error.message }
  return Object.fromEntries(
    Object.entries(issuesOf(error)).map(([path, message]) => {
      const [field = ''] = path.split('.')
      return [FIELD_OF[field] ?? field, message]
    }),
  )
}
