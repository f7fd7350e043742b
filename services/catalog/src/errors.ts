import type { Permission, PictureUses } from '@storefront/contracts'
import type { z } from 'zod'
import { fieldIssues } from '@storefront/http'
import { HttpError } from '@storefront/service'

export { idempotencyMismatch, invalidEmail, tooManyWaiting } from '@storefront/service'

export const productNotFound = () => new HttpError('not_found', 'This product does not exist.')

export const mediaNotFound = () => new HttpError('not_found', 'This picture does not exist.')

export const deliveryNotOffered = () =>
  new HttpError('not_found', 'There is no delivery estimate for this country and shipping method.')

/** One issue of an import or a save, with its location in the body. */
export interface Issue {
  path: string
  message: string
  /** Set if its kind differs from the others. */
  code?: 'unknown_field'
}

export const SHOWN_ISSUES = 100

export const tooBusy = () =>
  new HttpError('service_unavailable', 'Too many people are checking out at the moment. Please try again.', {
    retryAfterSeconds: 1,
  })

export function issuesOf(error: z.ZodError | undefined): Issue[] {
  return fieldIssues(error?.issues)
}

/** The same text as for a body that fails its schema, because it is the same error to the client. */
export const bodyRejected = (issues: Issue[]) =>
  new HttpError('validation_failed', 'Something in this request is missing or not valid.', {
    detail: { issues: issues.slice(0, SHOWN_ISSUES) },
  })

export const invalidKind = (kinds: readonly string[]) =>
  new HttpError('invalid_kind', 'The library has no items of this kind.', { detail: { kinds } })

export const libraryItemNotFound = () => new HttpError('not_found', 'This library item does not exist.')

export const attributeKeyTaken = (key: string) =>
  new HttpError('conflict', 'Another attribute in the library already has this key.', { detail: { key } })

export const notSignedIn = () => new HttpError('unauthenticated', 'Please sign in to continue.')

export const reviewNotFound = () => new HttpError('not_found', 'This review does not exist.')

export const alreadyReviewed = () => new HttpError('conflict', 'You have already reviewed this product. Thank you!')

export const reviewsSwitchedOff = () => new HttpError('forbidden', 'This shop does not accept reviews at the moment.')

export const storefrontRejected = (issues: Issue[]) =>
  new HttpError(
    'validation_failed',
    `The storefront was not changed: ${issues.length === 1 ? 'one setting needs' : `${issues.length} settings need`} attention.`,
    { detail: { issues: issues.slice(0, SHOWN_ISSUES), total: issues.length } },
  )

export const storefrontChangedMeanwhile = (version: number) =>
  new HttpError('conflict', 'Someone else changed the storefront in the meantime. Please reload it and try again.', {
    detail: { version },
  })

export const settingNotFound = (path: string, nearest: string | undefined) =>
  new HttpError(
    'not_found',
    nearest === undefined
      ? 'This setting does not exist.'
      : `This setting does not exist. Did you mean \`${nearest}\`?`,
    { detail: { path: path.slice(0, 200), ...(nearest !== undefined && { nearest }) } },
  )

export const storefrontVersionNotFound = () =>
  new HttpError('not_found', 'This version of the storefront does not exist.')

export const variantNotFound = () => new HttpError('variant_not_found', 'This item is no longer available.')

export const insufficientInventory = (available: number) =>
  new HttpError('insufficient_inventory', `Only ${available} left of this item.`, { detail: { available } })

export const tooMuchStock = (path: string, limit: number) =>
  new HttpError('validation_failed', 'This quantity is too large.', {
    detail: { issues: [{ path, message: `must not bring the stock on hand above ${limit}` }] },
  })

export const categoryNotFound = () => new HttpError('not_found', 'This category does not exist.')

export const collectionNotFound = () => new HttpError('not_found', 'This collection does not exist.')

export const sizeChartNotFound = () => new HttpError('not_found', 'This size chart does not exist.')

export const unknownParent = (parent: string | null) =>
  new HttpError('unknown_parent', 'The parent category does not exist.', { detail: { parent } })

export const categoryCycle = () =>
  new HttpError('category_cycle', 'A category cannot be its own parent or a child of its own subcategories.')

/** @param total the number of all issues; `issues` may be only the first of them */
export const importRowsRejected = (issues: Issue[], total: number) => {
  const unknown = issues.find(({ code }) => code === 'unknown_field')
  const sentence = `Nothing was imported: ${total === 1 ? 'one error' : `${total} errors`} to fix.`
  return new HttpError(unknown?.code ?? 'validation_failed', unknown ? `${sentence} ${unknown.message}` : sentence, {
    detail: { issues, total },
  })
}

export const importNotFound = () => new HttpError('not_found', 'This import does not exist.')

export const importCancelled = () => new HttpError('conflict', 'This import was canceled. Nothing was changed.')

export const importEnded = (status: string) =>
  new HttpError('conflict', 'This import has already ended.', { detail: { status } })

export const importRowsLost = () =>
  new HttpError(
    'service_unavailable',
    'The rows of this import were lost. Nothing was changed. Please send the file again.',
  )

export const mediaRejected = (issues: Issue[]) =>
  new HttpError('validation_failed', 'This upload was rejected.', {
    detail: { issues: issues.slice(0, SHOWN_ISSUES) },
  })

export const notAForm = () =>
  new HttpError('unsupported_media_type', 'Send pictures as multipart/form-data.', {
    detail: { accepted: ['multipart/form-data'] },
  })

export const uploadTooLarge = ({ fileMib, formMib }: { fileMib: number; formMib: number }) =>
  new HttpError(
    'payload_too_large',
    `A picture can have at most ${fileMib} MB, and all of one upload at most ${formMib} MB.`,
  )

export const uploadTooSlow = () => new HttpError('bad_request', 'This upload took too long. Please try again.')

export const pictureIncomplete = () => new HttpError('bad_request', 'This upload is incomplete. Please try again.')

export const tooManyUploads = () =>
  new HttpError('service_unavailable', 'Too many pictures are being uploaded. Please try again.', {
    retryAfterSeconds: 2,
  })

export const tooManyThumbnails = () =>
  new HttpError('service_unavailable', 'Too many pictures are being resized at the moment. Please try again.', {
    retryAfterSeconds: 1,
  })

export const mediaInUse = ({ products, productCount, places }: PictureUses) =>
  new HttpError('conflict', 'This picture is still used in the shop.', {
    detail: {
      products: products.map(({ slug, title }) => ({ slug, title })),
      productCount,
      places: places.map(({ kind, id }) => (kind === 'storefront' ? kind : `${kind} ${id}`)),
    },
  })

export const slugTaken = (slug: string) =>
  new HttpError('slug_taken', 'Another product already has this slug.', { detail: { slug } })

export const skuTaken = (sku: string | undefined) =>
  new HttpError('sku_taken', 'Another variant already has this SKU.', { detail: { sku } })

/** A variant that a save leaves out although it has stock or reservations. */
export interface MissingVariant {
  id: string
  sku: string
  options: Record<string, string>
  onHand: number
  reserved: number
}

const SHOWN_SKUS = 3

/** For merchants: `SHIRT-M (5 on hand, 1 reserved)`. */
export function describeStock({ sku, onHand, reserved }: Pick<MissingVariant, 'sku' | 'onHand' | 'reserved'>): string {
  return `${sku} (${onHand} on hand, ${reserved} reserved)`
}

export const variantsMissing = (variants: readonly MissingVariant[]) => {
  const shown = variants.slice(0, SHOWN_SKUS).map(describeStock)
  const more = variants.length > shown.length ? ` and ${variants.length - shown.length} more` : ''
  return new HttpError(
    'variants_missing',
    `This would remove variants that have stock: ${shown.join(', ')}${more}. Keep them, set their stock to 0 first, ` +
      'or send the ETag of the product as If-Match.',
    { detail: { variants: variants.slice(0, SHOWN_ISSUES), total: variants.length } },
  )
}

export const variantExists = (
  { id, sku, options }: { id: string; sku: string; options: Record<string, string> },
  what: 'this id' | 'these options',
) =>
  new HttpError('variant_exists', `This product already has a variant with ${what}: ${sku}.`, {
    detail: { variant: { id, sku, options } },
  })

export const lastVariant = () =>
  new HttpError('conflict', 'This is the only variant of the product. Add another one first, or delete the product.')

export const currencyMismatch = (issues: Issue[]) =>
  new HttpError('currency_mismatch', 'Prices must be in the currency of the shop.', {
    detail: { issues: issues.slice(0, SHOWN_ISSUES) },
  })

export const productChanged = (version: number) =>
  new HttpError('conflict', 'Someone else changed this product in the meantime. Please reload it and try again.', {
    detail: { version },
  })

export const recordChanged = (what: 'category' | 'collection' | 'size chart') =>
  new HttpError('conflict', `Someone else changed this ${what} in the meantime. Please reload it and try again.`)

export const stockChanged = (version: number) =>
  new HttpError('conflict', 'The stock of this product has changed in the meantime. Please reload it and try again.', {
    detail: { version },
  })

export const importFileIncomplete = () =>
  new HttpError('bad_request', 'The file did not arrive completely. Nothing was changed.')

export const csvMustMerge = () =>
  new HttpError('validation_failed', 'A CSV file contains only products and cannot replace the whole shop.', {
    detail: { issues: [{ path: 'mode', message: 'must be `merge` for a CSV file' }] },
  })

/** The same text as for a body that is parsed whole. */
export const notJson = () =>
  new HttpError('bad_json', 'The request could not be read.', { detail: { reason: 'the body is not JSON' } })

export const importNotAllowed = (type: string, permission: Permission) =>
  new HttpError(
    'forbidden',
    `You are not allowed to import everything in this file: rows of type ${type} need the permission ${permission}.`,
    { detail: { type, permission } },
  )

export const importDeletionNotAllowed = (type: string, permission: Permission) =>
  new HttpError(
    'forbidden',
    `Replacing the shop also deletes each ${type} that is not in the file, which needs the permission ${permission}.`,
    { detail: { type, permission } },
  )

export const importNotCounted = () =>
  importRowsRejected(
    [
      {
        path: 'end',
        message: 'must be the last line of a file that replaces the shop: {"type":"end","data":{"rows":…}}',
      },
    ],
    1,
  )

export const importTooLarge = (maxMib: number) =>
  new HttpError(
    'payload_too_large',
    `The file is too large: JSON can have at most ${maxMib} MB. Send a larger shop as NDJSON.`,
  )

export const importsBusy = () =>
  new HttpError('service_unavailable', 'Another import is running. Please try again when it has finished.', {
    retryAfterSeconds: 10,
  })

export const bulkEditNotFound = () => new HttpError('not_found', 'This bulk edit does not exist.')

export const bulkEditEnded = (state: string) =>
  new HttpError('conflict', 'This bulk edit has already ended.', { detail: { state } })

/** @param reason a sentence for the merchant */
export const notUndoable = (reason: string) => new HttpError('conflict', reason)
