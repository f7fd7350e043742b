import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { NotFound, ScreenWaiting } from '../../shell/fallbacks.tsx'
import { SizeChartForm } from './size-chart-form.tsx'
import { NEW_SIZE_CHART, valuesOf } from './size-chart-values.ts'
import { sizeChartsQuery } from './size-charts-queries.ts'

export function SizeChartScreen(): ReactNode {
  const { t } = useTranslation()
  const [{ id = '' }] = useFilters()
  const read = useQuery(sizeChartsQuery)
  const stored = read.data?.items.find((each) => each.id === id)
  const [opened, setOpened] = useState(stored)
  if (stored && stored !== opened) setOpened(stored)
  if (!read.data) return <LoadingState queries={[read]} waiting={<ScreenWaiting />} />
  // What was typed stays when another person deletes the chart.
  const chart = stored ?? (opened?.id === id ? opened : undefined)
  if (!chart) return <NotFound />
  return (
    <Page
      title={id}
      back={{ to: '/size-charts', label: t('screens.sizeCharts') }}
      aside={<Badge>{t('sizeCharts.usedBy', { count: chart.productCount })}</Badge>}
    >
      <SizeChartForm key={id} stored={valuesOf(chart)} isNew={false} onCreated={() => {}} />
    </Page>
  )
}

/** A size chart that does not exist yet. */
export function NewSizeChartScreen(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t('sizeCharts.new')} back={{ to: '/size-charts', label: t('screens.sizeCharts') }}>
      <SizeChartForm
        stored={NEW_SIZE_CHART}
        isNew
        onCreated={(id) =>
          void navigate({ to: '/size-charts/edit', search: { id }, replace: true, ignoreBlocker: true })
        }
      />
    </Page>
  )
}
