import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { Pager } from '../../parts/pager.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { PublishedFilter, publishedOf } from './published-filter.tsx'
import { allStockQuery, type StockRow } from './stock-queries.ts'
import { StockTable } from './stock-table.tsx'

/** Every variant of the shop, in the order of the products. */
export function AllStock({ onHistory }: { onHistory: (row: StockRow) => void }): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const q = filters['q'] ?? ''
  const list = useQuery(allStockQuery({ q, published: publishedOf(filters), page: pageOf(filters) }))
  return (
    <>
      <Group mb="sm" align="flex-end">
        <SearchBox label={t('stock.search')} value={q} onSearch={(text) => setFilters({ q: text })} />
        <PublishedFilter />
      </Group>
      <StockTable
        label={t('stock.all')}
        list={list}
        detailed={false}
        onHistory={onHistory}
        empty={<EmptyState title={t('stock.none')} text={q === '' ? t('stock.noneText') : t('stock.noneFoundText')} />}
      />
      {list.data && (
        <Pager
          {...list.data}
          items={list.data.rows}
          found={t('stock.productsFound', { count: list.data.total })}
          onPage={(page) => setFilters({ page: String(page) })}
        />
      )}
    </>
  )
}
