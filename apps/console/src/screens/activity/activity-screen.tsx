import { Alert, Paper, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityItem } from './activity-item.tsx'
import { activityQuery } from './activity-queries.ts'

export function ActivityScreen(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page title={t('screens.activity')}>
      <ActivityFilters />
      <ActivityList />
    </Page>
  )
}

function ActivityList(): ReactNode {
  const { t } = useTranslation()
  const [filters] = useFilters()
  const activity = useInfiniteQuery(activityQuery(filters))
  if (!activity.data) return <LoadingState queries={[activity]} waiting={<Skeleton height={320} />} />
  const entries = activity.data.pages.flatMap(({ items }) => items)
  return (
    <>
      {activity.data.pages.some(({ incomplete }) => incomplete.length > 0) && (
        <Alert color="orange" mb="md" role="status">
          {t('activity.incomplete')}
        </Alert>
      )}
      <Paper withBorder px="md" py="xs" component="section" aria-label={t('screens.activity')}>
        {entries.length === 0 ? (
          <EmptyState title={t('activity.none')} text={t('activity.noneText')} />
        ) : (
          entries.map((entry) => <ActivityItem key={entry.id} entry={entry} />)
        )}
      </Paper>
      <MoreButton list={activity} />
    </>
  )
}
