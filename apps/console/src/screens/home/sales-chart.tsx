import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeral } from '../../parts/formats.ts'
import { formatMoney } from '../../parts/money.ts'
import type { Summary } from './home-queries.ts'
import { LineChart } from './line-chart.tsx'

const SERIES = ['revenue', 'orders', 'units'] as const
type Series = (typeof SERIES)[number]
type Day = Summary['days'][number]

/** The figures of each day, over those of the period before. */
export function SalesChart({ summary }: { summary: Summary | undefined }): ReactNode {
  const { t } = useTranslation()
  const [series, setSeries] = useState<Series>('revenue')
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
      {summary ? <Lines summary={summary} series={series} /> : <Skeleton height={316} />}
    </Paper>
  )
}

function Lines({ summary, series }: { summary: Summary; series: Series }): ReactNode {
  const { t } = useTranslation()
  // The chart is drawn again when one of these changes.
  const { days, now, before, format } = useMemo(() => {
    const { currency } = summary.totals.revenue
    const valueOf = (day: Day | undefined): number =>
      series === 'revenue' ? (day?.revenue.amount ?? 0) : (day?.[series] ?? 0)
    return {
      days: summary.days.map(({ date }) => date),
      now: { label: t('home.thisPeriod'), values: summary.days.map(valueOf) },
      before: {
        label: t('home.periodBefore'),
        values: summary.days.map((_day, index) => valueOf(summary.previousDays[index])),
      },
      format: (value: number) => (series === 'revenue' ? formatMoney({ amount: value, currency }) : numeral(value)),
    }
  }, [summary, series, t])
  return <LineChart label={t(`home.figures.${series}`)} days={days} now={now} before={before} format={format} />
}
