import { NumberInput } from '@mantine/core'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { minorUnitDigits } from '@storefront/contracts/currency'
import { toMajor, toMinor } from './money.ts'

interface MoneyInputProps {
  label: string
  description?: ReactNode
  error?: ReactNode
  disabled?: boolean
  currency: string
  /** In the smallest unit; undefined while the field is empty. */
  amount: number | undefined
  onChange: (amount: number | undefined) => void
}

/** An amount, entered in the units and with the decimal sign that people use. */
export function MoneyInput({ currency, amount, onChange, ...given }: MoneyInputProps): ReactNode {
  return (
    <NumberInput
      {...given}
      value={amount === undefined ? '' : toMajor(amount, currency)}
      onChange={(value) => onChange(minorOf(value, currency))}
      {...signOf(currency)}
      min={0}
      decimalScale={minorUnitDigits(currency)}
      fixedDecimalScale
      decimalSeparator={decimalSign()}
      hideControls
    />
  )
}

/** While it is typed, an amount that ends with a zero is a text, such as `10.00`. */
function minorOf(value: number | string, currency: string): number | undefined {
  const major = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(major) ? toMinor(major, currency) : undefined
}

function decimalSign(): string {
  const parts = new Intl.NumberFormat(i18next.language).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** The sign of the currency, on its side of the amount. */
function signOf(currency: string): { prefix: string } | { suffix: string } {
  const parts = new Intl.NumberFormat(i18next.language, { style: 'currency', currency }).formatToParts(0)
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency
  return parts[0]?.type === 'currency' ? { prefix: `${sign} ` } : { suffix: ` ${sign}` }
}
