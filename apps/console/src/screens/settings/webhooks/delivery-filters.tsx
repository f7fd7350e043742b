import { NativeSelect, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../../parts/day-field.tsx'
import type { Filters } from '../../../parts/filters.ts'
import { EVENT_NAMES, EVENT_TYPES } from './event-types.ts'
import { endpointsQuery, STATUSES } from './webhooks-queries.ts'

interface DeliveryFiltersProps {
  filters: Filters
  onChange: (change: Record<string, string | undefined>) => void
}

export function DeliveryFilters({ filters, onChange }: DeliveryFiltersProps): ReactNode {
  const { t } = useTranslation()
  const endpoints = useQuery(endpointsQuery)
  const choice = (name: string, label: string, options: readonly { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: t('settings.any') }, ...options]}
    />
  )
  const day = (name: 'from' | 'to'): ReactNode => (
    <DayField label={t(`settings.${name}`)} day={filters[name] ?? ''} onDay={(value) => onChange({ [name]: value })} />
  )
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" mb="sm">
      {choice(
        'status',
        t('settings.webhooks.state'),
        STATUSES.map((value) => ({ value, label: t(`settings.webhooks.statuses.${value}`) })),
      )}
      {choice('type', t('settings.webhooks.type'), [
        ...EVENT_TYPES.map((value) => ({ value, label: t(`settings.events.${EVENT_NAMES[value]}`) })),
        { value: 'webhook.test', label: t('settings.events.webhookTest') },
      ])}
      {choice(
        'endpoint',
        t('settings.webhooks.endpoint'),
        (endpoints.data?.items ?? []).map(({ id, url }) => ({ value: id, label: url })),
      )}
      {day('from')}
      {day('to')}
    </SimpleGrid>
  )
}
