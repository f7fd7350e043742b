import { z } from 'zod'
import { fingerprintOf } from '../products/product.ts'

/** The header of a write that must not overwrite changes of others. */
export const IfMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of your last read: if the record has changed since then, the reply is 409 `conflict`. Without it, nothing is compared.',
    ),
})

export type IfMatchHeaders = z.output<typeof IfMatchHeader>

/** The content of a strong entity tag of a product or of the configuration. */
interface Tagged {
  /** The number of changes by merchants. */
  version: number
  /** The number of changes of a product's stock. */
  stockVersion?: number
}

/** A strong entity tag, such as `"7"`, or `"7.12"` for a product with its stock. */
export function etagOf({ version, stockVersion }: Tagged): string {
  return stockVersion === undefined ? `"${version}"` : `"${version}.${stockVersion}"`
}

/** Whether an If-Match header names a version, which the client must have read, and is not just `*`. */
export function namesVersion(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && !isAny(ifMatch)
}

/**
 * Whether an If-Match header allows a write. Weak tags never match (RFC 9110, section 13.1.1). The stock is compared if
 * both tags contain it: a tag with only the version comes from a client that ignores sales.
 */
export function matchesEtag(ifMatch: string | undefined, { version, stockVersion }: Tagged): boolean {
  if (ifMatch === undefined || isAny(ifMatch)) return true
  return tagsIn(ifMatch).some((tag) => {
    const [, givenVersion, givenStock] = /^"(\d+)(?:\.(\d+))?"$/.exec(tag) ?? []
    if (givenVersion !== String(version)) return false
    return givenStock === undefined || stockVersion === undefined || givenStock === String(stockVersion)
  })
}

/** A strong entity tag of a record without a version: the same content has the same tag. */
export function contentTagOf(record: object): string {
  return `"${fingerprintOf(record)}"`
}

/**
 * Whether an If-Match header allows a write of a record without a version.
 * @param record as it is stored; undefined for a new one, which only a request without the header may create
 */
export function matchesContent(ifMatch: string | undefined, record: object | undefined): boolean {
  if (ifMatch === undefined) return true
  if (!record) return false
  return isAny(ifMatch) || tagsIn(ifMatch).includes(contentTagOf(record))
}

/** The field of a record in a list that replaces the header of a response with one record. */
export const EtagField = z
  .string()
  .describe('Send it back as If-Match with a change or a deletion: then changes of others are not overwritten.')

function isAny(ifMatch: string): boolean {
  return ifMatch.trim() === '*'
}

function tagsIn(ifMatch: string): string[] {
  return ifMatch.split(',').map((each) => each.trim())
}
