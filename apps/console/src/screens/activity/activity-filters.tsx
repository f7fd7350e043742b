import { Group, Select } from '@mantine/core'
import { ACTIVITY_PERMISSIONS } from '@storefront/contracts/activity-kinds'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usersQuery } from '../../parts/actor-name.ts'
import { DayField } from '../../parts/day-field.tsx'
import { useFilters } from '../../parts/filters.ts'
import { sessionQuery, useCan } from '../../session.ts'
import { isActivityKind } from './activity-queries.ts'

/** Filters by person, by what was changed, and by day. */
export function ActivityFilters(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [filters, setFilters] = useFilters()
  const kinds = Object.keys(ACTIVITY_PERMISSIONS)
    .filter(isActivityKind)
    .filter((kind) => can(ACTIVITY_PERMISSIONS[kind]))
  return (
    <Group mb="md" align="flex-end" gap="sm">
      <ActorFilter />
      <Select
        label={t('activity.filter.subject')}
        placeholder={t('activity.filter.any')}
        data={kinds.map((kind) => ({ value: kind, label: t(`activity.kind.${kind}`) }))}
        value={filters['subject'] ?? null}
        onChange={(subject) => setFilters({ subject: subject ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        searchable
        w={200}
      />
      {(['from', 'to'] as const).map((name) => (
        <DayField
          key={name}
          label={t(`activity.filter.${name}`)}
          day={filters[name] ?? ''}
          onDay={(day) => setFilters({ [name]: day })}
          w={150}
        />
      ))}
    </Group>
  )
}

function ActorFilter(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const [filters, setFilters] = useFilters()
  const own = useQuery(sessionQuery).data?.user
  const all = useQuery({ ...usersQuery, enabled: can('admins:write') }).data
  // A person who may not see the others can still look for their own changes.
  const users = all ?? (own ? [own] : [])
  return (
    <Select
      label={t('activity.filter.actor')}
      placeholder={t('activity.filter.anyone')}
      data={users.map(({ id, name }) => ({ value: id, label: name }))}
      value={filters['actor'] ?? null}
      onChange={(actor) => setFilters({ actor: actor ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      searchable
      w={200}
    />
  )
}
