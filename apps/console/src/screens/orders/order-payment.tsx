import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Card } from '../../parts/card.tsx'
import { PaymentBadge } from './order-badges.tsx'
import type { Order, Refund } from './orders-queries.ts'
import { contentOf, wasPartlySent } from './parcels.ts'
import { providerName } from './provider-name.ts'

const REFUND_COLORS = { pending: 'yellow', succeeded: 'teal', failed: 'red' } as const

export function PaymentCard({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation()
  const { payment, refunds } = order
  const { provider, method, reference, status } = payment
  return (
    <Card title={t('orders.paymentCard.title')} action={<PaymentBadge status={status} />}>
      <Stack gap={4}>
        <Group justify="space-between">
          <Text>
            {providerName(provider, t)}
            {method !== undefined && method !== provider && ` · ${method}`}
          </Text>
          {reference !== undefined && <ShortId id={reference} />}
        </Group>
        {refunds.map((refund) => (
          <RefundRow key={refund.id} order={order} refund={refund} />
        ))}
      </Stack>
    </Card>
  )
}

function RefundRow({ order, refund }: { order: Order; refund: Refund }): ReactNode {
  const { t } = useTranslation()
  const { amount, status, reason, createdAt, restocked, lines = [] } = refund
  return (
    <Stack gap={0} mt="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text>{t('orders.paymentCard.refund', { amount: formatMoney(amount) })}</Text>
        <Badge color={REFUND_COLORS[status]}>{t(`orders.refundStatus.${status}`)}</Badge>
      </Group>
      {contentOf(order, { lines }).map(({ line, quantity }) => (
        <Text key={line.id} size="xs">
          {quantity} × {[line.title, ...Object.values(line.options)].join(', ')}
        </Text>
      ))}
      <Text className="small dimmed">
        <RelativeTime at={createdAt} />
        {reason !== undefined && ` · ${reason}`}
        {restocked &&
          ` · ${t(lines.length === 0 && wasPartlySent(order) ? 'orders.paymentCard.restockedLeft' : 'orders.paymentCard.restocked')}`}
      </Text>
    </Stack>
  )
}
