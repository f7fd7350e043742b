import type { Order } from './orders-queries.ts'

/** What every dialog about an order takes. */
export interface OrderDialogProps {
  order: Order
  opened: boolean
  onClose: () => void
}
