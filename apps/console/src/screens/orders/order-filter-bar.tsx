import { Button, Collapse, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { MixerHorizontalIcon } from '@radix-ui/react-icons'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../parts/day-field.tsx'
import type { Filters } from '../../parts/filters.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { useCountries } from '../../shop-settings.ts'
import { ActiveFilters } from './active-filters.tsx'
import { ATTENTIONS, FULFILMENTS, PAYMENTS, SORTS, STATUSES, type Narrowing } from './order-filters.ts'
import type { OrderList } from './orders-queries.ts'
import { TagFilter } from './tag-filter.tsx'

interface OrderFilterBarProps {
  filters: Filters
  /** How many orders there are of each status, with the other filters. */
  counts: OrderList['counts'] | undefined
  onChange: (change: Record<string, string | undefined>) => void
}

/** Search, sort and filters of the list of orders. */
export function OrderFilterBar({ filters, counts, onChange }: OrderFilterBarProps): ReactNode {
  const { t } = useTranslation()
  const [opened, { toggle }] = useDisclosure()
  const panel = useId()
  return (
    <Stack gap="xs" mb="sm">
      <Group gap="xs">
        <SearchBox label={t('orders.search')} value={filters['q'] ?? ''} onSearch={(q) => onChange({ q })} />
        <Button leftSection={<MixerHorizontalIcon />} onClick={toggle} aria-expanded={opened} aria-controls={panel}>
          {t('orders.filter.open')}
        </Button>
        <NativeSelect
          aria-label={t('orders.filter.sort')}
          value={filters['sort'] ?? 'attention'}
          onChange={({ currentTarget: { value } }) => onChange({ sort: value === 'attention' ? undefined : value })}
          data={SORTS.map((value) => ({ value, label: t(`orders.sort.${value}`) }))}
        />
      </Group>
      <Collapse expanded={opened} id={panel} keepMounted={false}>
        <FilterPanel filters={filters} counts={counts} onChange={onChange} />
      </Collapse>
      <ActiveFilters filters={filters} onChange={onChange} />
    </Stack>
  )
}

function FilterPanel({ filters, counts, onChange }: OrderFilterBarProps): ReactNode {
  const { t } = useTranslation()
  const countries = useCountries(filters['country'])
  const counted = (status: (typeof STATUSES)[number]): string => {
    const count = counts?.[status]
    return count === undefined ? t(`orders.status.${status}`) : `${t(`orders.status.${status}`)} (${count})`
  }
  const choice = (name: Narrowing, options: readonly { value: string; label: string }[]): ReactNode => (
    <NativeSelect
      size="sm"
      label={t(`orders.filter.${name}`)}
      value={filters[name] ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
      data={[{ value: '', label: t('orders.filter.any') }, ...options]}
    />
  )
  const day = (name: 'from' | 'to'): ReactNode => (
    <DayField
      label={t(`orders.filter.${name}`)}
      day={filters[name] ?? ''}
      onDay={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
      {choice(
        'status',
        STATUSES.map((value) => ({ value, label: counted(value) })),
      )}
      {choice(
        'payment',
        PAYMENTS.map((value) => ({ value, label: t(`orders.payment.${value}`) })),
      )}
      {choice(
        'fulfilment',
        FULFILMENTS.map((value) => ({ value, label: t(`orders.fulfilment.${value}`) })),
      )}
      {choice(
        'attention',
        ATTENTIONS.map((value) => ({ value, label: t(`orders.attention.${value}`) })),
      )}
      <TagFilter value={filters['tag'] ?? ''} onChange={(tag) => onChange({ tag })} />
      {choice('country', countries)}
      {day('from')}
      {day('to')}
    </SimpleGrid>
  )
}
