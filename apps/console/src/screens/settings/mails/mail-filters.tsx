import { Checkbox, NativeSelect, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filters } from '../../../parts/filters.ts'
import { SearchBox } from '../../../parts/search-box.tsx'
import { KINDS, STATUSES } from './mails-queries.ts'

interface MailFiltersProps {
  filters: Filters
  onChange: (change: Record<string, string | undefined>) => void
}

export function MailFilters({ filters, onChange }: MailFiltersProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="xs" mb="xs">
        <SearchBox
          label={t('settings.mails.toSearch')}
          value={filters['to'] ?? ''}
          onSearch={(to) => onChange({ to })}
        />
        <SearchBox
          label={t('settings.mails.order')}
          value={filters['order'] ?? ''}
          onSearch={(order) => onChange({ order })}
        />
        <NativeSelect
          aria-label={t('settings.mails.state')}
          value={filters['status'] ?? ''}
          onChange={(event) => onChange({ status: event.currentTarget.value })}
          data={[
            { value: '', label: t('settings.mails.anyState') },
            ...STATUSES.map((value) => ({ value, label: t(`common.mails.statuses.${value}`) })),
          ]}
        />
        <NativeSelect
          aria-label={t('settings.mails.kind')}
          value={filters['kind'] ?? ''}
          onChange={(event) => onChange({ kind: event.currentTarget.value })}
          data={[
            { value: '', label: t('settings.mails.anyKind') },
            ...KINDS.map((value) => ({ value, label: t(`common.mails.kinds.${value}`) })),
          ]}
        />
      </SimpleGrid>
      <Checkbox
        mb="sm"
        label={t('settings.mails.onlyBounced')}
        checked={filters['bounced'] === 'true'}
        onChange={(event) => onChange({ bounced: event.currentTarget.checked ? 'true' : undefined })}
      />
    </>
  )
}
