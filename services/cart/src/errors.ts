import { HttpError } from '@storefront/service'

export { idempotencyMismatch } from '@storefront/service'

export const cartNotFound = () => new HttpError('cart_not_found', 'This cart no longer exists.')

export const cartChanged = () => new HttpError('conflict', 'Your cart has just changed. Please try again.')

export const lineNotFound = () => new HttpError('line_not_found', 'This item is no longer in your cart.')

export const variantNotFound = () => new HttpError('variant_not_found', 'This item is no longer available.')

export const outOfStock = () => new HttpError('out_of_stock', 'This item is sold out.', { detail: { available: 0 } })

/** With this text, whatever the options of the item are (docs/contract.md#carts). */
export const insufficientInventory = (available: number) =>
  new HttpError('insufficient_inventory', `Only ${available} left in that size.`, { detail: { available } })

const atMostOfOne = (limit: number) => `You can order at most ${limit} of one item.`

/** There is enough stock, but the limit of one line is lower. */
export const tooManyOfOne = (limit: number) =>
  new HttpError('insufficient_inventory', atMostOfOne(limit), { detail: { available: limit } })

/** The quantity itself is above the limit, whatever the stock. */
export const quantityBeyondLimit = (limit: number) =>
  new HttpError('validation_failed', atMostOfOne(limit), {
    detail: { issues: [{ path: 'quantity', message: `must be at most ${limit}` }] },
  })

export const tooManyLines = (limit: number) =>
  new HttpError('validation_failed', `A cart holds at most ${limit} different items. Please remove one first.`, {
    detail: { issues: [{ path: 'variant_id', message: `a cart has at most ${limit} lines` }] },
  })

export const emptyCart = () => new HttpError('empty_cart', 'Your cart is empty.')

export const invalidShippingMethod = (known: string[]) =>
  new HttpError('invalid_shipping_method', 'Please choose one of the shipping methods.', { detail: { known } })

export const undeliverableCountry = (country: string) =>
  new HttpError('undeliverable_country', 'We do not ship to this country yet.', { detail: { country } })

export const unknownRegion = ({
  country,
  found,
  example,
  path,
}: {
  country: string
  found: string
  example: string
  path: string
}) =>
  new HttpError('validation_failed', 'Please check the state or region of the delivery address.', {
    detail: {
      issues: [
        {
          path,
          message: `must be a region of ${country} by its ISO 3166-2 code, name or common abbreviation, such as ${example}, not "${found.slice(0, 50)}"`,
        },
      ],
    },
  })

export interface ShortLine {
  lineId: string
  variantId: string
  title: string
  options: Record<string, string>
  wanted: number
  available: number
}

/** Lines of a checkout that cannot be delivered; the message names the item when there is only one. */
export const withdrawnLines = (lines: ShortLine[]) =>
  new HttpError('out_of_stock', withdrawnMessage(lines), { detail: { lines } })

function withdrawnMessage(lines: ShortLine[]): string {
  if (lines.length === 1)
    return `${lines[0]?.title ?? 'An item'} is no longer available. Please remove it from your cart.`
  return isAnyLeft(lines)
    ? `${lines.length} items in your cart are no longer available in that quantity. Please check your cart.`
    : `${lines.length} items in your cart are no longer available. Please remove them.`
}

/** The same for goods that are in no cart. */
export const unsoldLines = (lines: ShortLine[]) =>
  new HttpError('out_of_stock', unsoldMessage(lines), { detail: { lines } })

function unsoldMessage(lines: ShortLine[]): string {
  if (lines.length === 1) return `${lines[0]?.title ?? 'An item'} is not for sale at the moment.`
  return `${lines.length} items are not for sale ${isAnyLeft(lines) ? 'in that quantity ' : ''}at the moment.`
}

const isAnyLeft = (lines: ShortLine[]) => lines.some((line) => line.available > 0)

export const discountNotFound = () => new HttpError('not_found', 'This discount does not exist.')

interface Issue {
  path: string
  message: string
}

export const unfitDiscount = (issues: Issue[]) =>
  new HttpError('validation_failed', `The discount was not saved: ${wordsOf(issues)}.`, { detail: { issues } })

const wordsOf = (issues: Issue[]) => issues.map(({ path, message }) => `\`${path}\` ${message}`).join('; ')

/** The message has this many of the unknown names; `detail.issues` has more. */
const NAMED_IN_MESSAGE = 3

/** @param total how many there are; `issues` may hold only the first of them */
export const unknownRestrictions = (issues: Issue[], total: number) => {
  const named = issues.slice(0, NAMED_IN_MESSAGE).map((issue) => issue.message)
  const more = total > named.length ? [`And ${total - named.length} more.`] : []
  return new HttpError('validation_failed', [...named, ...more].join(' '), { detail: { issues, total } })
}

/** Why a code cannot be redeemed; `reason` is for the client, which shows the message. */
export const invalidDiscount = (reason: string, message: string) =>
  new HttpError('invalid_discount', message, { detail: { reason } })
