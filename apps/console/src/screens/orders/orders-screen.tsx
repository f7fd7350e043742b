import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { orderAddress } from '../../parts/record-links.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderListActions } from './order-list-actions.tsx'
import { OrderFilterBar } from './order-filter-bar.tsx'
import { NARROWING } from './order-filters.ts'
import { OrderViews } from './order-views.tsx'
import { ordersQuery } from './orders-queries.ts'

/** Every order of the shop. */
export function OrdersScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const columns = useMemo(() => orderColumns(t), [t])
  const orders = useQuery(ordersQuery(filters))
  const isNarrowed = ['q', ...NARROWING].some((name) => filters[name] !== undefined)
  const clear = (): void => setFilters(Object.fromEntries(['q', ...NARROWING].map((name) => [name, undefined])))
  return (
    <Page title={t('screens.orders')} actions={<OrderListActions filters={filters} />}>
      <OrderViews filters={filters} />
      <OrderFilterBar filters={filters} counts={orders.data?.counts} onChange={setFilters} />
      <DataTable
        label={t('screens.orders')}
        columns={columns}
        rows={orders.data?.items}
        rowId={({ id }) => id}
        linkOf={({ id }) => orderAddress(id)}
        query={orders}
        empty={
          isNarrowed ? (
            <EmptyState
              title={t('orders.noneFound')}
              text={t('orders.noneFoundText')}
              action={<Button onClick={clear}>{t('orders.filter.clear')}</Button>}
            />
          ) : (
            <EmptyState title={t('orders.none')} text={t('orders.noneText')} />
          )
        }
      />
      {orders.data && <Pager {...orders.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </Page>
  )
}
