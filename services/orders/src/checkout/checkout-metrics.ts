import { counter, HttpError } from '@storefront/service'

const checkouts = counter(
  'storefront_checkouts_total',
  'Attempts to check out by outcome: answered, the code of the error, or failed',
  ['outcome'],
)

/** Counts an attempt to check out, including repeated ones. */
export async function countCheckout<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work()
    checkouts.inc({ outcome: 'answered' })
    return result
  } catch (error) {
    checkouts.inc({ outcome: error instanceof HttpError ? error.code : 'failed' })
    throw error
  }
}
