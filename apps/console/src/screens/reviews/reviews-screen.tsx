import { Badge, Group, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.ts'
import { Page } from '../../parts/page.tsx'
import { ReviewCards } from './review-cards.tsx'
import { pendingCountQuery, REVIEW_STATUSES, type ReviewStatus } from './reviews-queries.ts'

/** Moderation: what waits first. */
export function ReviewsScreen(): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const status = REVIEW_STATUSES.find((each) => each === filters['status']) ?? 'pending'
  return (
    <Page title={t('screens.reviews')}>
      <Tabs value={status} onChange={(value) => setFilters({ status: value ?? undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          {REVIEW_STATUSES.map((each) => (
            <Tabs.Tab key={each} value={each}>
              <TabLabel status={each} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={status}>
          <ReviewCards key={status} status={status} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function TabLabel({ status }: { status: ReviewStatus }): ReactNode {
  const { t } = useTranslation()
  const waiting = useQuery(pendingCountQuery).data ?? 0
  return (
    <Group gap={6} wrap="nowrap">
      {t(`reviews.status.${status}`)}
      {status === 'pending' && waiting > 0 && (
        <Badge size="sm" variant="default">
          {waiting}
        </Badge>
      )}
    </Group>
  )
}
