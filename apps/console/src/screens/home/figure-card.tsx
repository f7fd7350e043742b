import { Paper, Skeleton, Text } from '@mantine/core'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numeral } from '../../parts/formats.ts'
import { formatMoney } from '../../parts/money.ts'
import type { Summary } from './home-queries.ts'

type Totals = Summary['totals']

interface Figure {
  name: 'revenue' | 'orders' | 'averageOrder' | 'conversion' | 'units'
  /** Undefined when it cannot be said, such as the average without an order. */
  valueOf: (totals: Totals) => number | undefined
  format: (value: number, totals: Totals) => string
}

const percent = (value: number): string =>
  new Intl.NumberFormat(i18next.language, { style: 'percent', maximumFractionDigits: 1 }).format(value)
const money = (amount: number, { revenue }: Totals): string => formatMoney({ amount, currency: revenue.currency })

export const FIGURES: readonly Figure[] = [
  { name: 'revenue', valueOf: ({ revenue }) => revenue.amount, format: money },
  { name: 'orders', valueOf: ({ orders }) => orders, format: numeral },
  {
    name: 'averageOrder',
    valueOf: ({ averageOrder, orders }) => (orders === 0 ? undefined : averageOrder.amount),
    format: money,
  },
  { name: 'conversion', valueOf: ({ conversion }) => conversion ?? undefined, format: percent },
  { name: 'units', valueOf: ({ units }) => units, format: numeral },
]

/** One figure of the period, and its change against the period before. */
export function FigureCard({ figure, summary }: { figure: Figure; summary: Summary | undefined }): ReactNode {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="sm">
      <Text c="dimmed">{t(`home.figures.${figure.name}`)}</Text>
      {summary ? <Values figure={figure} summary={summary} /> : <Skeleton height={44} mt={6} />}
    </Paper>
  )
}

function Values({ figure, summary }: { figure: Figure; summary: Summary }): ReactNode {
  const { t } = useTranslation()
  const now = figure.valueOf(summary.totals)
  const before = figure.valueOf(summary.previousTotals)
  return (
    <>
      <Text size="md" fz={24} fw={700} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {now === undefined ? '–' : figure.format(now, summary.totals)}
      </Text>
      <Text className="small dimmed">{change(now, before) ?? t('home.noComparison')}</Text>
    </>
  )

  function change(value: number | undefined, previous: number | undefined): string | undefined {
    if (value === undefined || previous === undefined || previous === 0) return undefined
    const share = (value - previous) / previous
    const sign = share > 0 ? '+' : ''
    return t('home.change', {
      change: `${sign}${percent(share)}`,
      before: figure.format(previous, summary.previousTotals),
    })
  }
}
