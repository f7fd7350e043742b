import { Group, Input, TextInput } from '@mantine/core'
import { useId, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { movedTo } from '../../../parts/use-drag-order.ts'
import { OptionValue } from './option-value.tsx'

interface OptionValuesProps {
  name: string
  values: readonly string[]
  error: string | undefined
  autoFocus: boolean
  onChange: (values: string[]) => void
  onRename: (value: string, renamed: string) => void
}

const BETWEEN_VALUES = /[,;\t\n\r]+/

/** The values of an option. */
export function OptionValues({ name, values, error, autoFocus, onChange, onRename }: OptionValuesProps): ReactNode {
  const { t } = useTranslation()
  const id = useId()

  /** The chip that is removed had the focus. */
  function remove(value: string): void {
    flushSync(() => onChange(values.filter((each) => each !== value)))
    document.getElementById(id)?.focus()
  }

  return (
    <Input.Wrapper
      label={t('products.options.values')}
      description={values.length === 0 ? t('products.options.valuesHint') : undefined}
      error={error}
      id={id}
    >
      <Group gap={6} mt={4}>
        {values.map((value, index) => (
          <OptionValue
            key={value}
            value={value}
            others={values}
            onRename={(renamed) => onRename(value, renamed)}
            onMove={(by) => onChange(movedTo(values, index, index + by))}
            onRemove={() => remove(value)}
            isFirst={index === 0}
            isLast={index === values.length - 1}
          />
        ))}
        <NewValue
          id={id}
          label={t('products.options.addValue', { name })}
          isWrong={error !== undefined}
          autoFocus={autoFocus}
          onAdd={(more) => onChange([...new Set([...values, ...more])])}
          onRemoveLast={() => values.length > 0 && onChange(values.slice(0, -1))}
        />
      </Group>
    </Input.Wrapper>
  )
}

interface NewValueProps {
  id: string
  label: string
  isWrong: boolean
  autoFocus: boolean
  onAdd: (values: readonly string[]) => void
  onRemoveLast: () => void
}

/** Enter or a comma ends a value; a pasted list adds all of it. */
function NewValue({ id, label, isWrong, autoFocus, onAdd, onRemoveLast }: NewValueProps): ReactNode {
  const { t } = useTranslation()
  const [text, setText] = useState('')

  function add(typed: string): void {
    const more = typed
      .split(BETWEEN_VALUES)
      .map((value) => value.trim())
      .filter((value) => value !== '')
    setText('')
    if (more.length > 0) onAdd(more)
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '') {
      onRemoveLast()
    }
  }

  function paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text/plain')
    if (!BETWEEN_VALUES.test(pasted.trim())) return
    event.preventDefault()
    add(`${text},${pasted}`)
  }

  return (
    <TextInput
      id={id}
      aria-label={label}
      placeholder={t('products.options.addValueHint')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={press}
      onPaste={paste}
      onBlur={() => add(text)}
      autoFocus={autoFocus}
      size="xs"
      w={150}
      maxLength={100}
      error={isWrong}
    />
  )
}
