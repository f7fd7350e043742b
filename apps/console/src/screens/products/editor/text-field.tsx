import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEditor } from './editor-context.ts'

interface TextFieldProps extends Omit<TextInputProps, 'onChange' | 'value' | 'error'> {
  /** Of the field in a request: issues name it. */
  path: string
  label: string
  value: string
  onChange: (value: string) => void
}

/** A line of text, with the issue that was found in it. */
export function TextField({ path, onChange, ...props }: TextFieldProps): ReactNode {
  const { errors } = useEditor()
  return (
    <TextInput
      {...props}
      data-path={path}
      error={errors[path]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface LongTextFieldProps {
  path: string
  label: string
  description?: string
  value: string
  onChange: (value: string) => void
}

/** A text of several lines. */
export function LongTextField({ path, onChange, ...props }: LongTextFieldProps): ReactNode {
  const { errors } = useEditor()
  return (
    <Textarea
      {...props}
      size="sm"
      minRows={3}
      maxRows={16}
      error={errors[path]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
