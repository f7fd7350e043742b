import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { numeral } from '../../parts/formats.ts'
import { Pager } from '../../parts/pager.tsx'
import { formatDate } from '../../parts/relative-time.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { useShopCurrency } from '../../shop-settings.ts'
import { DiscountBadge } from './discount-badge.tsx'
import { worthOf } from './discount-worth.ts'
import { discountsQuery, type Discount } from './discounts-queries.ts'

export function DiscountList(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const q = filters['q'] ?? ''
  const list = useQuery(discountsQuery({ q, page: pageOf(filters) }))
  return (
    <>
      <Group mb="sm">
        <SearchBox label={t('discounts.search')} value={q} onSearch={(text) => setFilters({ q: text })} />
      </Group>
      <DataTable
        label={t('screens.discounts')}
        columns={useColumns()}
        rows={list.data?.items}
        rowId={({ code }) => code}
        query={list}
        empty={q === '' ? <NoDiscounts /> : <EmptyState title={t('discounts.noneFound', { q })} />}
      />
      {list.data && <Pager {...list.data} onPage={(page) => setFilters({ page: String(page) })} />}
    </>
  )
}

function useColumns(): Column<Discount>[] {
  const { t } = useTranslation()
  const currency = useShopCurrency()
  return [
    { id: 'code', header: t('discounts.field.code'), cell: CodeLink },
    {
      id: 'worth',
      header: t('discounts.column.worth'),
      cell: (discount) => (
        <>
          <Text>{worthOf(discount, currency)}</Text>
          {discount.label !== undefined && (
            <Text className="small dimmed" visibleFrom="sm">
              {discount.label}
            </Text>
          )}
        </>
      ),
    },
    { id: 'state', header: t('discounts.column.state'), cell: (discount) => <DiscountBadge discount={discount} /> },
    { id: 'used', header: t('discounts.column.used'), number: true, secondary: true, cell: usageOf },
    { id: 'period', header: t('discounts.column.period'), secondary: true, cell: periodOf },
  ]
}

function CodeLink({ code }: Discount): ReactNode {
  return (
    <Link to="/discounts/code" search={{ code }} state={{ list: '/discounts' }} className="row-link">
      <Text fw={600}>{code}</Text>
    </Link>
  )
}

function usageOf({ used, usageLimit }: Discount): string {
  return usageLimit === undefined
    ? numeral(used)
    : t('discounts.usedOf', { used: numeral(used), limit: numeral(usageLimit) })
}

function periodOf({ startsAt, endsAt }: Discount): string {
  if (startsAt !== undefined && endsAt !== undefined) {
    return t('discounts.period.both', { from: formatDate(startsAt), to: formatDate(endsAt) })
  }
  if (startsAt !== undefined) return t('discounts.period.from', { from: formatDate(startsAt) })
  return endsAt === undefined ? t('discounts.period.always') : t('discounts.period.to', { to: formatDate(endsAt) })
}

function NoDiscounts(): ReactNode {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('discounts.none')}
      text={t('discounts.noneText')}
      action={
        <Button variant="filled" component={Link} to="/discounts/new">
          {t('discounts.create')}
        </Button>
      }
    />
  )
}
