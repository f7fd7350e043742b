import type { ReactNode } from 'react'
import type { Money } from '../../parts/money.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import type { OrderDialog, OrderDialogProps } from './order-dialog.ts'
import { PaymentDialog } from './payment-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { TrackingDialog } from './tracking-dialog.tsx'

interface OrderDialogsProps extends OrderDialogProps {
  name: OrderDialog
  left: Money
}

export function OrderDialogs({ name, left, ...shared }: OrderDialogsProps): ReactNode {
  const dialogs: Record<OrderDialog, ReactNode> = {
    ship: <ShipDialog {...shared} />,
    tracking: <TrackingDialog {...shared} />,
    payment: <PaymentDialog {...shared} />,
    refund: <RefundDialog {...shared} left={left} />,
    cancel: <CancelDialog {...shared} left={left} />,
    tags: <TagsDialog {...shared} />,
  }
  return dialogs[name]
}
