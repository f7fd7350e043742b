import { Badge, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { orderAddress } from '../../parts/record-links.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { formatMoney } from '../../parts/money.ts'
import { Pager } from '../../parts/pager.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { customerOrdersQuery, type CustomerOrder } from './customers-queries.ts'

/** Every order of a customer, latest first. @param props.customer the id of an account, or an email address */
export function CustomerOrders({ customer }: { customer: string }): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const orders = useQuery(customerOrdersQuery(customer, pageOf(filters)))
  const columns: Column<CustomerOrder>[] = [
    { id: 'number', header: t('customers.order.number'), cell: OrderNumber },
    {
      id: 'placed',
      header: t('customers.order.placed'),
      secondary: true,
      cell: ({ placedAt }) => <RelativeTime at={placedAt} />,
    },
    {
      id: 'status',
      header: t('customers.order.status'),
      cell: ({ status }) => <Badge variant="default">{t(`customers.orderStatus.${status}`)}</Badge>,
    },
    {
      id: 'items',
      header: t('customers.order.items'),
      number: true,
      secondary: true,
      cell: ({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0),
    },
    { id: 'total', header: t('customers.order.total'), number: true, cell: ({ total }) => formatMoney(total) },
  ]
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {t('screens.orders')}
      </Title>
      <DataTable
        label={t('screens.orders')}
        columns={columns}
        rows={orders.data?.items}
        rowId={({ id }) => id}
        linkOf={({ id }) => orderAddress(id)}
        query={orders}
        empty={<EmptyState title={t('customers.noOrders')} text={t('customers.noOrdersText')} />}
      />
      {orders.data && <Pager {...orders.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </section>
  )
}

/** On a phone with its time, which has no column there. */
function OrderNumber({ number, placedAt }: CustomerOrder): ReactNode {
  return (
    <>
      {number}
      <Text className="small dimmed" hiddenFrom="sm">
        <RelativeTime at={placedAt} />
      </Text>
    </>
  )
}
