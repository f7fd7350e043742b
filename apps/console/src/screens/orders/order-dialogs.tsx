import type { ReactNode } from 'react'
import type { Money } from '../../parts/money.ts'
import type { useDialog } from '../../parts/use-dialog.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import type { Order } from './orders-queries.ts'
import { PaymentDialog } from './payment-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { TrackingDialog } from './tracking-dialog.tsx'

export type OrderDialog = 'ship' | 'tracking' | 'payment' | 'refund' | 'cancel' | 'tags'

interface OrderDialogsProps {
  order: Order
  left: Money
  shown: ReturnType<typeof useDialog<OrderDialog>>['shown']
}

/** The open dialog of an order. Each begins empty when it is opened. */
export function OrderDialogs({ order, left, shown }: OrderDialogsProps): ReactNode {
  if (!shown) return null
  const { opened, onClose } = shown
  const shared = { order, opened, onClose }
  const dialogs: Record<OrderDialog, ReactNode> = {
    ship: <ShipDialog {...shared} />,
    tracking: <TrackingDialog {...shared} />,
    payment: <PaymentDialog {...shared} />,
    refund: <RefundDialog {...shared} left={left} />,
    cancel: <CancelDialog {...shared} left={left} />,
    tags: <TagsDialog {...shared} />,
  }
  return dialogs[shown.target]
}
