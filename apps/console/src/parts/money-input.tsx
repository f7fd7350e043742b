import { Text, TextInput, type TextInputProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { amountText, readAmount } from './amounts.ts'

/** In the smallest unit. What cannot be read is the text that was typed, which is empty while nothing is. */
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
  const isWrong = typeof value === 'string' && value !== ''
  return (
    <TextInput
      {...given}
      value={isTyped ? typed : typeof value === 'string' ? value : amountText({ amount: value, currency })}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(enteredIn(currentTarget.value, currency))
      }}
      onBlur={(event) => {
        setTyped('')
        onBlur?.(event)
      }}
      error={isWrong ? t('common.notAmount') : error}
      inputMode="decimal"
      autoComplete="off"
      rightSection={
        <Text size="sm" c="dimmed">
          {currency}
        </Text>
      }
      rightSectionWidth={52}
    />
  )
}

function enteredIn(text: string, currency: string): EnteredAmount {
  return readAmount(text, currency) ?? text.trim()
}
