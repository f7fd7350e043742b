import type { DialogProps } from '../../parts/use-dialog.tsx'
import type { OrderSteps } from './order-steps.ts'
import type { Order } from './orders-queries.ts'

export type OrderDialog = 'ship' | 'tracking' | 'payment' | 'refund' | 'cancel' | 'tags'

/** What every dialog about an order takes. */
export interface OrderDialogProps extends DialogProps {
  order: Order
}

/** What a part of the page takes that opens some of them. */
export interface OrderPartProps {
  order: Order
  steps: OrderSteps
  onOpen: (dialog: OrderDialog) => void
}
