/** Of ten requests two may be repeated: retries must not push an overloaded service further down. */
const RETRIES_PER_REQUEST = 0.2
/**
 * The maximum that is saved up: as many as the requests that can be open to one service, which may all fail at once.
 */
const SAVED_RETRIES = 512

export type RetryBudget = ReturnType<typeof retryBudget>

/** Limits how many requests to one service may be repeated. */
export function retryBudget() {
  let left = SAVED_RETRIES
  return {
    countRequest() {
      left = Math.min(SAVED_RETRIES, left + RETRIES_PER_REQUEST)
    },
    /** @returns whether a request may be repeated */
    take() {
      if (left < 1) return false
      left--
      return true
    },
  }
}
