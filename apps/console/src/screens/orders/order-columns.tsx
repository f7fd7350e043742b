import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import type { Column } from '../../parts/data-table.tsx'
import { formatMoney } from '../../parts/money.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { OrderBadges } from './order-badges.tsx'
import { RowTags } from './order-tags.tsx'
import type { Order } from './orders-queries.ts'

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
      cell: (order) => customerOf(order, t),
    },
    {
      id: 'status',
      header: t('orders.columns.status'),
      visibleFrom: 'md',
      cell: (order) => stateOf(order, t),
    },
    { id: 'items', header: t('orders.columns.items'), number: true, visibleFrom: 'md', cell: unitsOf },
    { id: 'total', header: t('orders.columns.total'), number: true, cell: ({ total }) => formatMoney(total) },
  ]
}

/** The customer, and the state of the order on screens that hide the column of the state. */
function customerOf(order: Order, t: TFunction): ReactNode {
  const { name } = order.shippingAddress
  return (
    <>
      {name !== '' && <div className="buyer-name ellipsis">{name}</div>}
      <div className="buyer-name ellipsis small dimmed">{order.email}</div>
      <div className="mantine-hidden-from-md below">{stateOf(order, t)}</div>
    </>
  )
}

function stateOf(order: Order, t: TFunction): ReactNode {
  return (
    <>
      <OrderBadges order={order} t={t} />
      <RowTags order={order} />
    </>
  )
}

function unitsOf({ lines }: Order): number {
  return lines.reduce((units, { quantity }) => units + quantity, 0)
}
