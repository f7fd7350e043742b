import type { ReviewSummary } from '@storefront/contracts'
import { percentagesOf } from '../products/percentages.ts'

/** The stored counts of all published reviews of a product. */
export interface ReviewCounts {
  /** Reviews with one star, with two, up to five. */
  stars: readonly number[]
  fitSmall: number
  fitTrue: number
  fitLarge: number
  withPhotos: number
}

/** The one place where an average rating is rounded: two decimals, half up. 0 when there are no reviews. */
export function averageOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100
}

export function summaryOf(counts: ReviewCounts): ReviewSummary {
  const rows = counts.stars.map((count, index) => ({ stars: index + 1, count }))
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const starsGiven = rows.reduce((sum, row) => sum + row.stars * row.count, 0)
  const [small = 0, fits = 0, large = 0] = percentagesOf([counts.fitSmall, counts.fitTrue, counts.fitLarge])
  return {
    average: averageOf(starsGiven, count),
    count,
    breakdown: rows.toReversed(),
    fit: { small, true: fits, large },
    withPhotos: counts.withPhotos,
  }
}
