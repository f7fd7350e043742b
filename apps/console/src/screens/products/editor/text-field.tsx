import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from './editor-context.ts'

type Dates = 'publishAt' | 'unpublishAt'
type Prices = 'price' | 'compareAtPrice'
type Texts = 'title' | 'subtitle' | 'description' | 'details' | 'care' | 'position'

/** @returns the properties of the field of a text that has one name in the form, in a request and among the labels */
export function useFieldOf() {
  const { t } = useTranslation()
  const { form, change } = useEditor()
  return (name: Texts | Prices | Dates) => ({
    path: name,
    label: t(`products.field.${name}`),
    value: form[name],
    onChange: (value: string) => change(() => ({ [name]: value })),
  })
}

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
