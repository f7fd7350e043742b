import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { customerAddress } from '../../parts/record-links.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { useCan } from '../../session.ts'
import { customersQuery, nameOf, type Customer } from './customers-queries.ts'

const ORDERS: string = '/orders'

export function CustomersScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const q = filters['q'] ?? ''
  const list = useQuery(customersQuery({ q, page: Number(filters['page'] ?? 1) }))

  const columns: Column<Customer>[] = [
    { id: 'name', header: t('customers.column.name'), cell: nameOf },
    { id: 'email', header: t('customers.column.email'), cell: ({ email }) => email },
    {
      id: 'place',
      header: t('customers.column.place'),
      secondary: true,
      cell: ({ addresses }) => placeOf(addresses),
    },
    {
      id: 'since',
      header: t('customers.column.since'),
      secondary: true,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ]
  return (
    <Page title={t('screens.customers')}>
      <Group mb="sm">
        <SearchBox label={t('customers.search')} value={q} onSearch={(text) => setFilters({ q: text })} />
      </Group>
      <DataTable
        label={t('screens.customers')}
        columns={columns}
        rows={list.data?.items}
        rowId={({ id }) => id}
        linkOf={({ id }) => customerAddress(id)}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={<NoCustomers q={q} />}
      />
      {list.data && <Pager {...list.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </Page>
  )
}

function placeOf(addresses: Customer['addresses']): string {
  const address = addresses.find(({ isDefault }) => isDefault)
  return address ? [address.city, address.country].filter(Boolean).join(', ') : ''
}

/** Guests have no account, but their orders are found by their email address. */
function NoCustomers({ q }: { q: string }): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  if (q === '') return <EmptyState title={t('customers.none')} text={t('customers.noneText')} />
  return (
    <EmptyState
      title={t('customers.noneFound', { q })}
      text={t('customers.guestsText')}
      action={
        can('orders:read') && (
          <Button variant="default" renderRoot={(props) => <Link {...props} to={ORDERS} search={{ q }} />}>
            {t('customers.searchOrders')}
          </Button>
        )
      }
    />
  )
}
