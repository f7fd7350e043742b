import { z } from 'zod'

/** The header of a write that must not overwrite what others wrote meanwhile. */
export const IfMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of your last read: if the record has changed since then, the reply is 409 `conflict`. Without it, nothing is compared.',
    ),
})

/** What a strong entity tag of a product or of the configuration says. */
export interface Tagged {
  /** Counts what merchants wrote. */
  version: number
  /** Counts the changes of a product's stock. */
  stockVersion?: number
}

/** A strong entity tag: `"7"`, and of a product with its stock `"7.12"`. */
export function etagOf({ version, stockVersion }: Tagged): string {
  return stockVersion === undefined ? `"${version}"` : `"${version}.${stockVersion}"`
}

/** Whether an If-Match header names a version, and does not only require that there is one: its sender has read it. */
export function namesVersion(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch.trim() !== '*'
}

/**
 * Whether an If-Match header lets a write pass. Weak tags match nothing here (RFC 9110, section 13.1.1). The stock counts
 * when both sides speak of it: a tag that is a version alone is from somebody whom sales do not concern.
 */
export function matchesEtag(ifMatch: string | undefined, { version, stockVersion }: Tagged): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((each) => {
    const [, givenVersion, givenStock] = /^"(\d+)(?:\.(\d+))?"$/.exec(each.trim()) ?? []
    if (givenVersion !== String(version)) return false
    return givenStock === undefined || stockVersion === undefined || givenStock === String(stockVersion)
  })
}
