import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { Pager } from '../../parts/pager.tsx'
import { customerAddress } from '../../parts/record-links.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { customersQuery, nameOf, type Customer } from './customers-queries.ts'

/** Customers with an account, whether they have bought or not. */
export function AccountList(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const q = filters['q'] ?? ''
  const list = useQuery(customersQuery({ q, page: pageOf(filters) }))

  const columns: Column<Customer>[] = [
    {
      id: 'name',
      header: t('customers.column.name'),
      cell: (customer) => <span className="wrap">{nameOf(customer)}</span>,
    },
    { id: 'email', header: t('customers.column.email'), cell: ({ email }) => <span className="wrap">{email}</span> },
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
    <>
      <Group mb="sm">
        <SearchBox label={t('customers.search')} value={q} onSearch={(text) => setFilters({ q: text })} />
      </Group>
      <DataTable
        label={t('customers.who.accounts')}
        columns={columns}
        rows={list.data?.items}
        rowId={({ id }) => id}
        linkOf={({ id }) => customerAddress(id)}
        query={list}
        empty={
          q === '' ? (
            <EmptyState title={t('customers.none')} text={t('customers.noneText')} />
          ) : (
            <EmptyState title={t('customers.noneFound', { q })} text={t('customers.accountsText')} />
          )
        }
      />
      {list.data && <Pager {...list.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </>
  )
}

function placeOf(addresses: Customer['addresses']): string {
  const address = addresses.find(({ isDefault }) => isDefault)
  return address ? [address.city, address.country].filter(Boolean).join(', ') : ''
}
