import { TextInput, type TextInputProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { isDay } from './local-time.ts'

interface DayFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Such as 2026-01-31; empty for none. */
  day: string
  onDay: (day: string) => void
}

/** Shows what is typed until the field is left: the address would bring the former day back between two digits. */
export function DayField({ day, onDay, ...props }: DayFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      {...props}
      type="date"
      value={typed ?? day}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        if (value === '' || isDay(value)) onDay(value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
