import { Refusal } from '@storefront/chassis'

export const productNotFound = () => new Refusal('not_found', 'We could not find this product.')

export const mediaNotFound = () => new Refusal('not_found', 'We could not find this picture.')

export const deliveryNotOffered = () => new Refusal('not_found', 'We cannot say when this would arrive.')

/** One fault of an import or a save, named by where it stands in the body. */
export interface Issue {
  path: string
  message: string
}

const SHOWN_ISSUES = 100

export const importRefused = (issues: Issue[]) =>
  new Refusal('validation_failed', `Nothing was imported: ${issues.length} rows need attention.`, {
    detail: { issues: issues.slice(0, SHOWN_ISSUES), total: issues.length },
  })

export const badCursor = (message: string) =>
  new Refusal('validation_failed', 'This page cannot be found any more. Please start at the first one.', {
    detail: { issues: [{ path: 'cursor', message }] },
  })

export const tooBusy = () =>
  new Refusal('service_unavailable', 'Too many people are checking out this very second. Please try again.', {
    retryAfterSeconds: 1,
  })
