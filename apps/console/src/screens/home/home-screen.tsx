import { Alert, Grid, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { NotRefreshed } from '../../parts/not-refreshed.tsx'
import { Page } from '../../parts/page.tsx'
import { useCan } from '../../session.ts'
import { Attention } from './attention.tsx'
import { FIGURES, FigureCard } from './figure-card.tsx'
import { CurrencyChoice } from './currency-choice.tsx'
import { summaryQuery } from './home-queries.ts'
import { PeriodPicker, periodOf } from './period-picker.tsx'
import { TopProducts } from './top-products.tsx'

const SalesChart = lazy(async () => ({ default: (await import('./sales-chart.tsx')).SalesChart }))

/** How the shop does, and what waits for the merchant. */
export function HomeScreen(): ReactNode {
  const { t } = useTranslation()
  const can = useCan()
  const mayRead = can('orders:read')
  return (
    <Page title={t('screens.home')} actions={mayRead && <PeriodPicker />}>
      <Stack>
        <Attention />
        {mayRead && <Sales />}
      </Stack>
    </Page>
  )
}

function Sales(): ReactNode {
  const { t } = useTranslation()
  const [filters] = useFilters()
  const period = periodOf(filters)
  const { currency } = filters
  const isReversed = period.from > period.to
  const { data, error, refetch } = useQuery({
    ...summaryQuery({ ...period, ...(currency !== undefined && { currency }) }),
    enabled: !isReversed,
  })
  if (isReversed) return <Alert color="red">{t('home.endFirst')}</Alert>
  const retry = (): void => void refetch()
  if (error && !data) return <ErrorState error={error} onRetry={retry} />
  return (
    <>
      {error && <NotRefreshed text={t('home.notRefreshed')} onRetry={retry} />}
      {data && <CurrencyChoice summary={data} />}
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        {FIGURES.map((figure) => (
          <FigureCard key={figure.name} figure={figure} summary={data} />
        ))}
      </SimpleGrid>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Suspense>
            <SalesChart summary={data} />
          </Suspense>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <TopProducts products={data?.topProducts} />
        </Grid.Col>
      </Grid>
    </>
  )
}
