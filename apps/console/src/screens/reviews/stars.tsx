import { StarFilledIcon, StarIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const STARS = [1, 2, 3, 4, 5]

export function Stars({ rating }: { rating: number }): ReactNode {
  const { t } = useTranslation()
  return (
    <span role="img" aria-label={t('reviews.stars', { count: rating })}>
      {STARS.map((star) => (star <= rating ? <StarFilledIcon key={star} /> : <StarIcon key={star} opacity={0.4} />))}
    </span>
  )
}
