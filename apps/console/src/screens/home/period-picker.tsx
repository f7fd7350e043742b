import { Group, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../parts/day-field.tsx'
import { useFilters, type Filters } from '../../parts/filters.ts'

const DAY_MS = 86_400_000
const PERIODS = { today: 1, week: 7, month: 30, quarter: 90, year: 365 } as const
type PeriodName = keyof typeof PERIODS

function isPeriod(name: string): name is PeriodName {
  return Object.hasOwn(PERIODS, name)
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The days that the address bar names; the last 30 without any. */
export function periodOf({ period = 'month', from, to }: Filters): { from: string; to: string } {
  const now = Date.now()
  const today = dayOf(now)
  if (period === 'custom') return { from: from ?? dayOf(now - 29 * DAY_MS), to: to ?? today }
  const days = isPeriod(period) ? PERIODS[period] : PERIODS.month
  return { from: dayOf(now - (days - 1) * DAY_MS), to: today }
}

export function PeriodPicker(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const { from, to } = periodOf(filters)
  const options = [...Object.keys(PERIODS).filter(isPeriod), 'custom' as const]
  return (
    <Group gap="xs" align="end">
      {filters['period'] === 'custom' && (
        <>
          <DayField aria-label={t('home.from')} day={from} max={to} onDay={(day) => setFilters({ from: day })} />
          <DayField aria-label={t('home.to')} day={to} min={from} onDay={(day) => setFilters({ to: day })} />
        </>
      )}
      <NativeSelect
        aria-label={t('home.period')}
        data={options.map((value) => ({ value, label: t(`home.periods.${value}`) }))}
        value={filters['period'] ?? 'month'}
        onChange={({ currentTarget: { value: period } }) =>
          setFilters(period === 'custom' ? { period, from, to } : { period, from: undefined, to: undefined })
        }
        w={160}
      />
    </Group>
  )
}
