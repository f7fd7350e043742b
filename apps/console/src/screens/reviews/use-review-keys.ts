import { useHotkeys, useLocalStorage } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { Decision } from './moderate-review.ts'
import type { Review } from './reviews-queries.ts'

/** The element of a review, which takes the focus when it is the current one. */
export const reviewElementId = (id: string): string => `review-${id}`

interface ReviewKeysOptions {
  reviews: readonly Review[]
  /** Whether the keys do nothing, because a dialog is over the reviews. */
  isPaused: boolean
  onDecide: (review: Review, decision: Decision) => unknown
}

/** J and K move through the reviews, P publishes and H hides the current one; not while a person types. */
export function useReviewKeys({ reviews, isPaused, onDecide }: ReviewKeysOptions) {
  const [enabled, setEnabled] = useLocalStorage({ key: 'console-review-keys', defaultValue: true })
  const [currentId, setCurrentId] = useState<string>()
  const [focusNext, setFocusNext] = useState<string>()
  const index = reviews.findIndex(({ id }) => id === currentId)

  function move(step: number): void {
    const next = reviews[index === -1 ? 0 : index + step]
    if (!next) return
    setCurrentId(next.id)
    setFocusNext(next.id)
  }

  /** The next review takes the place of one that leaves the list. */
  function decide(review: Review, decision: Decision): void {
    if (review.status === decision) return
    const at = reviews.indexOf(review)
    const next = reviews[at + 1] ?? reviews[at - 1]
    setCurrentId(next?.id)
    setFocusNext(next?.id)
    onDecide(review, decision)
  }

  function decideCurrent(decision: Decision): void {
    const current = reviews[index]
    if (current) decide(current, decision)
  }

  useEffect(() => {
    if (focusNext === undefined) return
    document.getElementById(reviewElementId(focusNext))?.focus()
    setFocusNext(undefined)
  }, [focusNext])

  useHotkeys(
    enabled && !isPaused
      ? [
          ['J', () => move(1)],
          ['K', () => move(-1)],
          ['P', () => decideCurrent('published')],
          ['H', () => decideCurrent('hidden')],
        ]
      : [],
  )
  return { enabled, setEnabled, currentId, setCurrentId, decide }
}
