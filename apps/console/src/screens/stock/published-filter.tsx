import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters, type Filters } from '../../parts/filters.ts'
import type { Published } from './stock-queries.ts'

/** Shows variants of drafts, of published products, or both. */
export function PublishedFilter(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  return (
    <Select
      label={t('stock.published.label')}
      data={[
        { value: '', label: t('stock.published.all') },
        { value: 'true', label: t('stock.published.true') },
        { value: 'false', label: t('stock.published.false') },
      ]}
      value={publishedOf(filters) ?? ''}
      onChange={(value) => setFilters({ published: value ?? undefined })}
      allowDeselect={false}
      w={170}
    />
  )
}

export function publishedOf({ published }: Filters): Published {
  return published === 'true' || published === 'false' ? published : undefined
}
