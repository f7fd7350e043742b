import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { OrderDialogProps } from './order-dialog.ts'
import { useOrderChange } from './use-order-change.ts'

/** Records a payment that the shop does not know of: a transfer, cash, or one that its provider did not report. */
export function PaymentDialog({ order, ...dialog }: OrderDialogProps): ReactNode {
  const { t } = useTranslation()
  const change = useOrderChange(order)
  const form = useForm({ initialValues: { method: '', reference: '' } })
  const submit = form.onSubmit(({ method, reference }) =>
    change.mutate(
      {
        body: {
          payment: {
            status: 'captured',
            ...(method.trim() !== '' && { method: method.trim() }),
            ...(reference.trim() !== '' && { reference: reference.trim() }),
          },
        },
        done: t('orders.done.payment'),
      },
      { onSuccess: dialog.onClose },
    ),
  )
  return (
    <FormDialog
      title={t('orders.record.title')}
      action={t('orders.record.action')}
      isPending={change.isPending}
      onSubmit={submit}
      {...dialog}
    >
      <Text>{t('orders.record.text', { amount: formatMoney(order.total) })}</Text>
      <TextInput
        data-autofocus
        label={t('orders.record.method')}
        description={t('orders.record.methodHint')}
        maxLength={100}
        {...form.getInputProps('method')}
      />
      <TextInput
        label={t('orders.record.reference')}
        description={t('orders.record.referenceHint')}
        maxLength={255}
        autoComplete="off"
        {...form.getInputProps('reference')}
      />
    </FormDialog>
  )
}
