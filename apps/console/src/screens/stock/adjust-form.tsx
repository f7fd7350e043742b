import { Button, Group, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { faultText, readQuantity } from './read-quantity.ts'
import { saveQuantity } from './save-quantity.ts'

/** Adds or takes units, with a reason that stays in the history. */
export function AdjustForm({ row }: { row: { variantId: string; sku: string; available: number } }): ReactNode {
  const { t } = useTranslation()
  const [quantity, setQuantity] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()

  function submit(event: FormEvent): void {
    event.preventDefault()
    const change = readQuantity(/^\d/.test(quantity.trim()) ? `+${quantity.trim()}` : quantity, row.available)
    const isNothing = 'add' in change && change.add === 0
    if (isNothing || ('fault' in change && change.fault === 'unreadable')) return setFault(t('stock.adjust.invalid'))
    if ('fault' in change) return setFault(faultText(t, change.fault, row.available))
    setQuantity('')
    setReason('')
    void saveQuantity(row, change, reason.trim())
  }

  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="xs">
        <TextInput
          label={t('stock.adjust.quantity')}
          placeholder="+5, -3"
          value={quantity}
          error={fault}
          onChange={(event) => {
            setQuantity(event.currentTarget.value)
            setFault(undefined)
          }}
          autoComplete="off"
          w={120}
        />
        <TextInput
          label={t('stock.adjust.reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          flex={1}
        />
        <Button type="submit" variant="default" mt={25}>
          {t('stock.adjust.action')}
        </Button>
      </Group>
    </form>
  )
}
