import { Refusal } from '@storefront/chassis'

export const productNotFound = () => new Refusal('not_found', 'We could not find this product.')

export const mediaNotFound = () => new Refusal('not_found', 'We could not find this picture.')

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

export const tooBusy = () =>
  new Refusal('service_unavailable', 'Too many people are checking out this very second. Please try again.', {
    retryAfterSeconds: 1,
  })
