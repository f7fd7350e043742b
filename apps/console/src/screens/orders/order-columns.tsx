import { Box, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../parts/data-table.tsx'
import { formatMoney } from '../../parts/money.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { OrderBadges } from './order-badges.tsx'
import { RowTags } from './order-tags.tsx'
import type { Order } from './orders-queries.ts'

const CUSTOMER_WIDTH = { base: 120, sm: 240 }

export function orderColumns(t: TFunction): readonly Column<Order>[] {
  return [
    {
      id: 'number',
      header: t('orders.columns.number'),
      cell: ({ number }) => <span className="nowrap">{number}</span>,
    },
    {
      id: 'date',
      header: t('orders.columns.date'),
      visibleFrom: 'md',
      cell: ({ placedAt }) => <RelativeTime at={placedAt} />,
    },
    {
      id: 'customer',
      header: t('orders.columns.customer'),
      cell: (order) => <Customer order={order} />,
    },
    {
      id: 'status',
      header: t('orders.columns.status'),
      visibleFrom: 'md',
      cell: (order) => <State order={order} />,
    },
    { id: 'items', header: t('orders.columns.items'), number: true, visibleFrom: 'md', cell: unitsOf },
    { id: 'total', header: t('orders.columns.total'), number: true, cell: ({ total }) => formatMoney(total) },
  ]
}

/** With the state of the order, where its own column has no room. */
function Customer({ order }: { order: Order }): ReactNode {
  const { name } = order.shippingAddress
  return (
    <>
      {name !== '' && (
        <Text size="sm" className="ellipsis" maw={CUSTOMER_WIDTH}>
          {name}
        </Text>
      )}
      <Text size="xs" c="dimmed" className="ellipsis" maw={CUSTOMER_WIDTH}>
        {order.email}
      </Text>
      <Box hiddenFrom="md" mt={4}>
        <State order={order} />
      </Box>
    </>
  )
}

function State({ order }: { order: Order }): ReactNode {
  return (
    <>
      <OrderBadges order={order} />
      <RowTags order={order} />
    </>
  )
}

function unitsOf({ lines }: Order): number {
  return lines.reduce((units, { quantity }) => units + quantity, 0)
}
