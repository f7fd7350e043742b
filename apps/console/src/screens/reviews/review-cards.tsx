import { Paper, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../parts/empty-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { pageOf, useFilters } from '../../parts/filters.ts'
import { Pager } from '../../parts/pager.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { deleteReview, moderateReview } from './moderate-review.ts'
import { ProductFilter } from './product-filter.tsx'
import { ReviewCard } from './review-card.tsx'
import { reviewsQuery, type Review, type ReviewStatus } from './reviews-queries.ts'
import { ShortcutHelp } from './shortcut-help.tsx'
import { useReviewKeys } from './use-review-keys.ts'

/** The reviews of one status, to decide on one after the other. */
export function ReviewCards({ status }: { status: ReviewStatus }): ReactNode {
  const { t } = useTranslation()
  const [filters, setFilters] = useFilters()
  const list = useQuery(reviewsQuery({ status, product: filters['product'] ?? '', page: pageOf(filters) }))
  const [toDelete, setToDelete] = useState<Review>()
  const keys = useReviewKeys({
    reviews: list.data?.items ?? [],
    isPaused: toDelete !== undefined,
    onDecide: moderateReview,
  })

  if (!list.data) return <LoadingState queries={[list]} waiting={<Skeleton height={240} />} />
  return (
    <>
      <ProductFilter />
      {list.data.total === 0 ? (
        <Paper withBorder>
          <EmptyState title={t(`reviews.none.${status}`)} text={t(`reviews.noneText.${status}`)} />
        </Paper>
      ) : (
        <>
          <ShortcutHelp status={status} enabled={keys.enabled} onEnabled={keys.setEnabled} />
          <Stack gap="sm">
            {list.data.items.map((review) => (
              <ReviewCard
                key={review.id}
                review={review}
                isCurrent={review.id === keys.currentId}
                onCurrent={() => keys.setCurrentId(review.id)}
                onDecide={(decision) => keys.decide(review, decision)}
                onDelete={() => setToDelete(review)}
              />
            ))}
          </Stack>
        </>
      )}
      <Pager {...list.data} onPage={(page) => setFilters({ page: String(page) })} />
      <TypedConfirmation
        opened={toDelete !== undefined}
        title={t('reviews.deleteTitle')}
        text={t('reviews.deleteText', { author: toDelete?.author ?? '' })}
        word={t('reviews.deleteWord')}
        action={t('reviews.delete')}
        onClose={() => setToDelete(undefined)}
        onConfirm={() => toDelete && void deleteReview(toDelete)}
      />
    </>
  )
}
