import type { TFunction } from 'i18next'
import type { BulkEdit } from './bulk-queries.ts'

/** The person or key that requested a bulk edit. */
export function requesterName(t: TFunction, { kind, name, email }: BulkEdit['by']): string {
  return name ?? email ?? t(`common.unnamed.${kind}`)
}
