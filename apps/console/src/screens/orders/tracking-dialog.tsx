import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { OrderDialogProps } from './order-dialog.ts'
import { TrackingFields, trackingOf, useTrackingForm } from './tracking-fields.tsx'
import { useOrderChange } from './use-order-change.ts'

/** Adds or corrects the tracking that the order shows. */
export function TrackingDialog({ order, ...dialog }: OrderDialogProps): ReactNode {
  const { t } = useTranslation()
  const change = useOrderChange(order)
  const form = useTrackingForm(order.tracking)
  return (
    <FormDialog
      title={t('orders.ship.title.tracking', { number: order.number })}
      isPending={change.isPending}
      onSubmit={form.onSubmit((values) =>
        change.mutate(
          { body: { tracking: trackingOf(values) }, done: t('orders.done.tracking') },
          { onSuccess: dialog.onClose },
        ),
      )}
      {...dialog}
    >
      <Text>{t('orders.ship.text.tracking')}</Text>
      <TrackingFields form={form} />
    </FormDialog>
  )
}
