import type { ResponseOf } from '@storefront/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { shop } from '../../shop.ts'

export const REVIEW_STATUSES = ['pending', 'published', 'hidden'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]
export type ReviewList = ResponseOf<'GET /admin/reviews'>
export type Review = ReviewList['items'][number]

export const REVIEWS = ['reviews'] as const
const PER_PAGE = 25

interface ReviewFilter {
  status: ReviewStatus
  /** Slug of a product. */
  product: string
  page: number
}

export const reviewsQuery = ({ status, product, page }: ReviewFilter) =>
  queryOptions({
    queryKey: [...REVIEWS, status, product, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      shop.get('/admin/reviews', {
        params: { query: { status, page, per_page: PER_PAGE, ...(product !== '' && { product }) } },
      }),
  })

/** How many wait, for the tab. */
export const pendingCountQuery = queryOptions({
  queryKey: [...REVIEWS, 'pending-count'],
  queryFn: async () =>
    (await shop.get('/admin/reviews', { params: { query: { status: 'pending', per_page: 1 } } })).total,
})
