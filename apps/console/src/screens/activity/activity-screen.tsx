import { Alert, Button, Center, Paper, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
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
  if (activity.error) return <ErrorState error={activity.error} onRetry={() => void activity.refetch()} />
  if (!activity.data) return <Skeleton height={320} />
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
      {activity.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            {t('common.more')}
          </Button>
        </Center>
      )}
    </>
  )
}
