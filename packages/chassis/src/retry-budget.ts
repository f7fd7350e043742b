/** Of ten requests two may go again: what is already down is not pushed further by those who try again. */
const RETRIES_PER_REQUEST = 0.2
/** Saved up at most. As many as can be under way to one service, which may all break off at once. */
const SAVED_RETRIES = 512

export interface RetryBudget {
  countRequest(): void
  /** @returns whether a request may go again */
  take(): boolean
}

/** How many requests to one service, or questions, may go again. */
export function retryBudget(): RetryBudget {
  let left = SAVED_RETRIES
  return {
    countRequest() {
      left = Math.min(SAVED_RETRIES, left + RETRIES_PER_REQUEST)
    },
    take() {
      if (left < 1) return false
      left--
      return true
    },
  }
}
