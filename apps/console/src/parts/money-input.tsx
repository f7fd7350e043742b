import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { amountText, exampleAmount, readAmount } from './amounts.ts'

/** An amount in the smallest unit, or the text that was typed if it is not an amount; empty for an empty field. */
export type EnteredAmount = number | string

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  currency: string
  value: EnteredAmount
  onChange: (amount: EnteredAmount) => void
}

/** An amount, entered in the units that people use, and as they write it. */
export function MoneyInput({ currency, value, onChange, onBlur, error, ...given }: MoneyInputProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const isTyped = enteredIn(typed, currency) === value
  const formatted = typeof value === 'string' ? value : amountText({ amount: value, currency })
  const isWrong = typeof value === 'string' && value !== ''
  return (
    <TextInput
      {...given}
      value={isTyped ? typed : formatted}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(enteredIn(currentTarget.value, currency))
      }}
      onBlur={(event) => {
        setTyped('')
        onBlur?.(event)
      }}
      error={isWrong ? t('common.notAmount', { example: exampleAmount(currency) }) : error}
      inputMode="decimal"
      autoComplete="off"
      rightSection={<Text c="dimmed">{currency}</Text>}
      rightSectionWidth={52}
    />
  )
}

function enteredIn(text: string, currency: string): EnteredAmount {
  return readAmount(text, currency) ?? text.trim()
}
