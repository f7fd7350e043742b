import { ActionIcon, Group, TextInput } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { afterChange, faultText, readQuantity, type QuantityChange, type QuantityFault } from './read-quantity.ts'

interface QuantityFieldProps {
  sku: string
  available: number
  onSave: (change: QuantityChange) => void
}

/** The units that can be bought, to edit in place: Enter saves, Escape restores, arrows move between rows. */
export function QuantityField({ sku, available, onSave }: QuantityFieldProps): ReactNode {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<string>()
  const [fault, setFault] = useState<QuantityFault>()
  const isChanged = draft !== undefined && draft.trim() !== String(available)

  function restore(): void {
    setDraft(undefined)
    setFault(undefined)
  }

  function save(): void {
    if (!isChanged) return restore()
    const change = readQuantity(draft, available)
    if ('fault' in change) return setFault(change.fault)
    restore()
    if (afterChange(change, available) !== available) onSave(change)
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const step = STEPS[event.key]
    if (step !== undefined) focusNeighbor(event.currentTarget, step)
    else if (event.key === 'Enter') save()
    else if (event.key === 'Escape') restore()
    else return
    event.preventDefault()
  }

  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {isChanged && (
        // A pointer must not take the focus, and a keyboard has Enter.
        <ActionIcon variant="light" tabIndex={-1} onClick={save} aria-label={t('stock.saveQuantity', { sku })}>
          <CheckIcon />
        </ActionIcon>
      )}
      <TextInput
        data-quantity
        aria-label={t('stock.quantityOf', { sku })}
        aria-describedby="quantity-help"
        value={draft ?? String(available)}
        error={fault && faultText(t, fault, available)}
        onChange={(event) => {
          setDraft(event.currentTarget.value)
          setFault(undefined)
        }}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={press}
        inputMode="numeric"
        enterKeyHint="done"
        autoComplete="off"
        size="xs"
        w={84}
        styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' }, error: { whiteSpace: 'normal' } }}
      />
    </Group>
  )
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

function focusNeighbor(field: HTMLInputElement, step: number): void {
  const fields = [...(field.closest('table')?.querySelectorAll<HTMLInputElement>('input[data-quantity]') ?? [])]
  fields[fields.indexOf(field) + step]?.focus()
}
