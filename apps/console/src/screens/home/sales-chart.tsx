import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import i18next from 'i18next'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../parts/money.ts'
import type { Summary } from './home-queries.ts'

const SERIES = ['revenue', 'orders', 'units'] as const
type Series = (typeof SERIES)[number]
type Day = Summary['days'][number]

/** The figures of each day, over those of the period before. */
export function SalesChart({ summary }: { summary: Summary | undefined }): ReactNode {
  const { t } = useTranslation()
  const [series, setSeries] = useState<Series>('revenue')
  const valueOf = (day: Day | undefined): number =>
    series === 'revenue' ? (day?.revenue.amount ?? 0) : (day?.[series] ?? 0)
  const data = summary?.days.map((day, index) => ({
    date: shortDate(day.date),
    now: valueOf(day),
    before: valueOf(summary.previousDays[index]),
  }))
  const format = (value: number): string =>
    series === 'revenue' && summary
      ? formatMoney({ amount: value, currency: summary.totals.revenue.currency })
      : new Intl.NumberFormat(i18next.language).format(value)
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t(`home.figures.${series}`)}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('home.chart')}
          value={series}
          onChange={(value) => setSeries(SERIES.find((name) => name === value) ?? 'revenue')}
          data={SERIES.map((value) => ({ value, label: t(`home.figures.${value}`) }))}
        />
      </Group>
      {data ? (
        <AreaChart
          h={260}
          data={data}
          dataKey="date"
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          curveType="linear"
          withDots={false}
          valueFormatter={format}
          yAxisProps={{ width: 76 }}
          series={[
            { name: 'now', label: t('home.thisPeriod'), color: 'indigo.6' },
            { name: 'before', label: t('home.periodBefore'), color: 'gray.5' },
          ]}
        />
      ) : (
        <Skeleton height={260} />
      )}
    </Paper>
  )
}

function shortDate(date: string): string {
  return new Intl.DateTimeFormat(i18next.language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(date),
  )
}
