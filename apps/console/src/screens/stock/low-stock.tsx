import { Group, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { Pager } from '../../parts/pager.tsx'
import { PublishedFilter, publishedOf } from './published-filter.tsx'
import { DEFAULT_THRESHOLD, lowStockQuery, MAX_THRESHOLD, type StockRow } from './stock-queries.ts'
import { StockTable } from './stock-table.tsx'

/** Variants of which few units can be bought. */
export function LowStock({ onHistory }: { onHistory: (row: StockRow) => void }): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const threshold = thresholdOf(filters['threshold'])
  // Until the field is left: one that a person emptied to type another number would show the default at once.
  const [typed, setTyped] = useState<number | string>()
  const list = useQuery(lowStockQuery({ threshold, published: publishedOf(filters), page: pageOf(filters) }))
  return (
    <>
      <Group mb="sm" align="flex-end">
        <NumberInput
          label={t('stock.threshold')}
          value={typed ?? threshold}
          min={0}
          max={MAX_THRESHOLD}
          clampBehavior="strict"
          allowDecimal={false}
          w={150}
          onChange={(value) => {
            setTyped(value)
            setFilters({ threshold: String(value) })
          }}
          onBlur={() => setTyped(undefined)}
        />
        <PublishedFilter />
      </Group>
      <StockTable
        label={t('stock.low')}
        list={list}
        detailed
        onHistory={onHistory}
        empty={<EmptyState title={t('stock.noneLow', { threshold })} text={t('stock.noneLowText')} />}
      />
      {list.data && (
        <Pager {...list.data} items={list.data.rows} onPage={(page) => setFilters({ page: String(page) })} />
      )}
    </>
  )
}

function thresholdOf(text = ''): number {
  return /^\d{1,4}$/.test(text) ? Math.min(Number(text), MAX_THRESHOLD) : DEFAULT_THRESHOLD
}
