import { Alert, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { OrderDialogProps } from './order-dialog.ts'
import { isOpen } from './order-steps.ts'
import { ParcelLines } from './parcel-lines.tsx'
import { isPartlySent, remainingToSend } from './parcels.ts'
import { TrackingFields, trackingOf, useTrackingForm } from './tracking-fields.tsx'
import { useShip } from './use-ship.ts'

/** Records that a parcel was sent: with everything or some pieces, and with its tracking if there is any. */
export function ShipDialog({ order, ...dialog }: OrderDialogProps): ReactNode {
  const { t } = useTranslation()
  const ship = useShip(order)
  const left = remainingToSend(order)
  const [chosen, setChosen] = useState<Readonly<Record<string, number>>>({})
  // Tracking that was entered before is that of the first parcel.
  const form = useTrackingForm(isPartlySent(order) ? undefined : order.tracking)
  const parcel = left.map(({ line, quantity }) => ({ line, quantity: Math.min(chosen[line.id] ?? quantity, quantity) }))
  const isEmpty = left.length > 0 && parcel.every(({ quantity }) => quantity === 0)
  const isAll = parcel.every(({ quantity }, place) => quantity === left[place]?.quantity)
  const isOnePiece = left.length === 1 && left[0]?.quantity === 1
  // It was sent or canceled elsewhere while this dialog was open, and not by this dialog.
  const isOver = !isOpen(order) && !ship.isPending && !ship.isSuccess
  return (
    <FormDialog
      size="lg"
      title={t('orders.ship.title.ship', { number: order.number })}
      action={t(isAll ? 'orders.ship.action.ship' : 'orders.ship.action.part')}
      isPending={ship.isPending}
      isDisabled={isEmpty || isOver}
      onSubmit={form.onSubmit((values) =>
        ship.mutate(
          {
            // Everything may be refunded by now.
            ...(left.length > 0 && {
              lines: parcel.flatMap(({ line, quantity }) => (quantity > 0 ? [{ lineId: line.id, quantity }] : [])),
            }),
            tracking: trackingOf(values),
          },
          { onSuccess: dialog.onClose },
        ),
      )}
      {...dialog}
    >
      {isOver ? (
        <Alert color="red">{t('orders.ship.over', { status: t(`orders.status.${order.status}`) })}</Alert>
      ) : (
        order.payment.status !== 'captured' && <Alert color="yellow">{t('orders.ship.unpaid')}</Alert>
      )}
      {!isOnePiece && (
        <ParcelLines
          left={left}
          parcel={parcel}
          onChange={(lineId, quantity) => setChosen({ ...chosen, [lineId]: quantity })}
        />
      )}
      <TrackingFields form={form} />
      <Text c="dimmed">{t(isAll ? 'orders.ship.text.ship' : 'orders.ship.text.part')}</Text>
    </FormDialog>
  )
}
