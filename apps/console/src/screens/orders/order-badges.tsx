import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowBadge, type BadgeColor } from '../../parts/row-badge.tsx'
import type { Order } from './orders-queries.ts'
import { isPartlySent } from './parcels.ts'

const STATUS_COLORS: Record<Order['status'], BadgeColor> = {
  placed: 'gray',
  paid: 'indigo',
  fulfilled: 'cyan',
  delivered: 'teal',
  cancelled: 'gray',
}

const PAYMENT_COLORS: Record<Order['payment']['status'], BadgeColor> = {
  pending: 'yellow',
  authorized: 'yellow',
  captured: 'teal',
  failed: 'red',
  partially_refunded: 'gray',
  refunded: 'gray',
}

/** The state of an order at a glance: where it is, what is special about its payment, and what is wrong. */
export function OrderBadges({ order, t }: { order: Order; t: TFunction }): ReactNode {
  const { status, payment, attention } = order
  return (
    <div className="badges">
      <RowBadge color={STATUS_COLORS[status]}>{t(`orders.status.${status}`)}</RowBadge>
      {isPartlySent(order) && <RowBadge color="cyan">{t('orders.parcels.partly')}</RowBadge>}
      {!isPaymentImplied(order) && (
        <RowBadge color={PAYMENT_COLORS[payment.status]}>{t(`orders.payment.${payment.status}`)}</RowBadge>
      )}
      {attention !== undefined && (
        <RowBadge variant="filled" color="red">
          {t(`orders.attention.${attention}`)}
        </RowBadge>
      )}
    </div>
  )
}

/** Whether the other badges say that the payment was received. */
function isPaymentImplied({ status, payment, attention }: Order): boolean {
  if (payment.status !== 'captured') return false
  return attention === 'refund_due' || (status !== 'placed' && status !== 'cancelled')
}

export function PaymentBadge({ status }: { status: Order['payment']['status'] }): ReactNode {
  const { t } = useTranslation()
  return <RowBadge color={PAYMENT_COLORS[status]}>{t(`orders.payment.${status}`)}</RowBadge>
}
