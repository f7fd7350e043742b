import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useFilters, type Filters } from '../../parts/filters.ts'
import { formatMoney } from '../../parts/money.ts'
import { buyerAddress, customerAddress } from '../../parts/record-links.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { BUYER_SORTS, buyerSortOf, buyersQuery, type Buyer } from './buyers-queries.ts'
import { TagBadges } from './tag-badges.tsx'

/** Everyone who has bought, with what they have ordered and paid. */
export function BuyerList(): ReactNode {
  const { t } = useTranslation()
  const [filters] = useFilters()
  const list = useInfiniteQuery(buyersQuery(filters))
  const columns: Column<Buyer>[] = [
    { id: 'name', header: t('customers.column.name'), cell: (buyer) => <Name buyer={buyer} /> },
    {
      id: 'email',
      header: t('customers.column.email'),
      secondary: true,
      cell: ({ email }) => <span className="wrap">{email}</span>,
    },
    {
      id: 'tags',
      header: t('customers.column.tags'),
      visibleFrom: 'md',
      cell: ({ tags }) => <TagBadges tags={tags} />,
    },
    { id: 'orders', header: t('customers.column.orders'), number: true, cell: ({ orders }) => orders },
    { id: 'revenue', header: t('customers.column.revenue'), number: true, cell: revenueOf },
    {
      id: 'latest',
      header: t('customers.column.latest'),
      secondary: true,
      cell: ({ lastOrderAt }) => <RelativeTime at={lastOrderAt} />,
    },
  ]
  return (
    <>
      <BuyerFilters />
      <DataTable
        label={t('screens.customers')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ items }) => items)}
        rowId={({ id }) => id}
        linkOf={({ id, customerId }) => (customerId === undefined ? buyerAddress(id) : customerAddress(customerId))}
        query={list}
        empty={<NoBuyers filters={filters} />}
      />
      <MoreButton list={list} />
    </>
  )
}

function BuyerFilters(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const { tag } = filters
  return (
    <Group mb="sm" gap="xs">
      <SearchBox label={t('customers.search')} value={filters['q'] ?? ''} onSearch={(q) => setFilters({ q })} />
      <NativeSelect
        aria-label={t('customers.sort.label')}
        value={buyerSortOf(filters)}
        onChange={({ currentTarget: { value } }) => setFilters({ sort: value === 'latest' ? undefined : value })}
        data={BUYER_SORTS.map((sort) => ({ value: sort, label: t(`customers.sort.${sort}`) }))}
      />
      {tag !== undefined && (
        <Button variant="light" onClick={() => setFilters({ tag: undefined })}>
          {t('customers.withoutTag', { tag })}
        </Button>
      )}
    </Group>
  )
}

/** On a phone with the last order, which has no column there. */
function Name({ buyer: { name, email, customerId, lastOrderAt } }: { buyer: Buyer }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <span className="wrap">{name === '' ? email : name}</span>
      {customerId === undefined && (
        <Text className="small dimmed" span ml={6}>
          {t('customers.guest')}
        </Text>
      )}
      <Text className="small dimmed" hiddenFrom="sm">
        <RelativeTime at={lastOrderAt} />
      </Text>
    </>
  )
}

function revenueOf({ revenue }: Buyer): string {
  return revenue.map(formatMoney).join(', ')
}

function NoBuyers({ filters: { q, tag, who } }: { filters: Filters }): ReactNode {
  const { t } = useTranslation()
  if (q !== undefined) return <EmptyState title={t('customers.noneFound', { q })} text={t('customers.buyersText')} />
  if (tag !== undefined || who === 'guests') return <EmptyState title={t('customers.noneOfFilters')} />
  return <EmptyState title={t('customers.noBuyers')} text={t('customers.noBuyersText')} />
}
