import { z } from 'zod'

/** The header of a write that must not overwrite changes of others. */
export const IfMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of your last read: if the record has changed since then, the reply is 409 `conflict`. Without it, nothing is compared.',
    ),
})

/** The content of a strong entity tag of a product or of the configuration. */
export interface Tagged {
  /** Counts the changes by merchants. */
  version: number
  /** Counts the changes of a product's stock. */
  stockVersion?: number
}

/** A strong entity tag: `"7"`, and of a product with its stock `"7.12"`. */
export function etagOf({ version, stockVersion }: Tagged): string {
  return stockVersion === undefined ? `"${version}"` : `"${version}.${stockVersion}"`
}

/** Whether an If-Match header names a version, and does not only require that one exists: its sender has read it. */
export function namesVersion(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch.trim() !== '*'
}

/**
 * Whether an If-Match header allows a write. Weak tags match nothing here (RFC 9110, section 13.1.1). The stock is
 * compared when both tags contain it: a tag of the version alone comes from a client that ignores sales.
 */
export function matchesEtag(ifMatch: string | undefined, { version, stockVersion }: Tagged): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((each) => {
    const [, givenVersion, givenStock] = /^"(\d+)(?:\.(\d+))?"$/.exec(each.trim()) ?? []
    if (givenVersion !== String(version)) return false
    return givenStock === undefined || stockVersion === undefined || givenStock === String(stockVersion)
  })
}
