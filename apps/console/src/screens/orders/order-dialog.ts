import type { DialogProps } from '../../parts/use-dialog.tsx'
import type { Order } from './orders-queries.ts'

/** What every dialog about an order takes. */
export interface OrderDialogProps extends DialogProps {
  order: Order
}
