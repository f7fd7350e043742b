import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOneAtATime } from '../../parts/use-one-at-a-time.ts'
import { faultText, readQuantity, type QuantityChange } from './read-quantity.ts'
import { saveQuantity } from './save-quantity.ts'

interface Adjustment {
  change: QuantityChange
  /** As they were typed. */
  quantity: string
  reason: string
}

/** Adds or takes units, with a reason that stays in the history. */
export function AdjustForm({ row }: { row: { variantId: string; sku: string; available: number } }): ReactNode {
  const { t } = useTranslation()
  const [quantity, setQuantity] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const save = useMutation({
    mutationFn: ({ change, reason: why }: Adjustment) => saveQuantity(row, change, why.trim()),
    onSuccess(isSaved, sent) {
      if (!isSaved) return
      // What was typed since is the next change.
      setQuantity((typed) => (typed === sent.quantity ? '' : typed))
      setReason((typed) => (typed === sent.reason ? '' : typed))
    },
  })
  const saveOnce = useOneAtATime(save)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const change = readQuantity(/^\d/.test(quantity.trim()) ? `+${quantity.trim()}` : quantity, row.available)
    const isNothing = 'add' in change && change.add === 0
    if (isNothing || ('fault' in change && change.fault === 'unreadable')) return setFault(t('stock.adjust.invalid'))
    if ('fault' in change) return setFault(faultText(t, change.fault, row.available))
    saveOnce({ change, quantity, reason })
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
        <Button type="submit" mt={25} loading={save.isPending}>
          {t('stock.adjust.action')}
        </Button>
      </Group>
    </form>
  )
}
