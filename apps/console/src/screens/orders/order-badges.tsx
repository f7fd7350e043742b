import { Badge, Group, type MantineColor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from './orders-queries.ts'
import { isPartlySent } from './parcels.ts'

const STATUS_COLORS: Record<Order['status'], MantineColor> = {
  placed: 'gray',
  paid: 'indigo',
  fulfilled: 'cyan',
  delivered: 'teal',
  cancelled: 'gray',
}

const PAYMENT_COLORS: Record<Order['payment']['status'], MantineColor> = {
  pending: 'yellow',
  authorized: 'yellow',
  captured: 'teal',
  failed: 'red',
  partially_refunded: 'gray',
  refunded: 'gray',
}

/** The state of an order at a glance: where it is, what is special about its payment, and what is wrong. */
export function OrderBadges({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const { status, payment, attention } = order
  return (
    <Group gap={4}>
      <Badge variant="light" color={STATUS_COLORS[status]}>
        {t(`orders.status.${status}`)}
      </Badge>
      {isPartlySent(order) && (
        <Badge variant="light" color="cyan">
          {t('orders.parcels.partly')}
        </Badge>
      )}
      {!isUnderstood(order) && (
        <Badge variant="light" color={PAYMENT_COLORS[payment.status]}>
          {t(`orders.payment.${payment.status}`)}
        </Badge>
      )}
      {attention !== undefined && (
        <Badge variant="filled" color="red">
          {t(`orders.attention.${attention}`)}
        </Badge>
      )}
    </Group>
  )
}

/** Whether the other badges say that the payment was received. */
function isUnderstood({ status, payment, attention }: Order): boolean {
  if (payment.status !== 'captured') return false
  return attention === 'refund_due' || (status !== 'placed' && status !== 'cancelled')
}

export function PaymentBadge({ status }: { status: Order['payment']['status'] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Badge variant="light" color={PAYMENT_COLORS[status]}>
      {t(`orders.payment.${status}`)}
    </Badge>
  )
}
