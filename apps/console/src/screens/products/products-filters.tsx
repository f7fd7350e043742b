import { Group, SegmentedControl, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { SORTS } from './products-queries.ts'

/** Search, filters and order of the list; the address bar holds them. */
export function ProductsFilters({ categories }: { categories: { value: string; label: string }[] }): ReactNode {
  const { t } = useTranslation()
  const [filters, change] = useFilters()
  return (
    <Group mb="sm" gap="xs">
      <SearchBox label={t('products.search')} value={filters['q'] ?? ''} onSearch={(q) => change({ q })} />
      <SegmentedControl
        aria-label={t('products.state')}
        value={filters['published'] ?? ''}
        onChange={(published) => change({ published })}
        data={[
          { value: '', label: t('products.all') },
          { value: 'true', label: t('products.published') },
          { value: 'false', label: t('products.drafts') },
        ]}
      />
      <Select
        aria-label={t('products.category')}
        placeholder={t('products.category')}
        data={categories}
        value={filters['category'] ?? null}
        onChange={(category) => change({ category: category ?? undefined })}
        searchable
        clearable
        limit={100}
        nothingFoundMessage={t('products.noCategory')}
        clearButtonProps={{ 'aria-label': t('common.clear') }}
      />
      <Select
        aria-label={t('products.sort.label')}
        data={SORTS.map((sort) => ({ value: sort, label: t(`products.sort.${sort}`) }))}
        value={filters['sort'] ?? 'newest'}
        onChange={(sort) => change({ sort: sort === 'newest' || sort === null ? undefined : sort })}
        allowDeselect={false}
        w={180}
      />
    </Group>
  )
}
