import type { AlertRecord } from '@storefront/contracts'
import type { ExportedAlert } from './alerts.queries.ts'

/** An alert as an export of personal data shows it. */
export function alertRecord({ kind, slug, variantId, createdAt, confirmedAt, doneAt }: ExportedAlert): AlertRecord {
  return {
    kind,
    productSlug: slug,
    ...(variantId !== null && { variantId }),
    createdAt: createdAt.toISOString(),
    ...(confirmedAt !== null && { confirmedAt: confirmedAt.toISOString() }),
    ...(doneAt !== null && { sentAt: doneAt.toISOString() }),
  }
}
