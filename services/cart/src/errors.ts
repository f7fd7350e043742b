import { Refusal } from '@storefront/chassis'

export const cartNotFound = () => new Refusal('cart_not_found', 'This bag is not there any more.')

export const lineNotFound = () => new Refusal('line_not_found', 'This item is not in your bag any more.')

export const variantNotFound = () => new Refusal('variant_not_found', 'This item is not available any more.')

export const outOfStock = () => new Refusal('out_of_stock', 'This item is sold out.', { detail: { available: 0 } })

export const insufficientInventory = (available: number) =>
  new Refusal('insufficient_inventory', `Only ${available} left in that size.`, { detail: { available } })

const atMostOfOne = (limit: number) => `You can order at most ${limit} of one item.`

/** There is enough stock, but one line holds no more than the limit. */
export const tooManyOfOne = (limit: number) =>
  new Refusal('insufficient_inventory', atMostOfOne(limit), { detail: { available: limit } })

/** The quantity itself is beyond the limit, whatever the stock. */
export const quantityBeyondLimit = (limit: number) =>
  new Refusal('validation_failed', atMostOfOne(limit), {
    detail: { issues: [{ path: 'quantity', message: `must be at most ${limit}` }] },
  })

export const tooManyLines = (limit: number) =>
  new Refusal('validation_failed', `A bag holds at most ${limit} different items.`, {
    detail: { issues: [{ path: 'variant_id', message: `a cart has at most ${limit} lines` }] },
  })

export const emptyCart = () => new Refusal('empty_cart', 'Your bag is empty.')

export const invalidShippingMethod = (known: string[]) =>
  new Refusal('invalid_shipping_method', 'Please choose one of the ways we ship.', { detail: { known } })

export const undeliverableCountry = (country: string) =>
  new Refusal('undeliverable_country', 'We do not ship to this country yet.', { detail: { country } })

export const unknownRegion = ({ country, found, example }: { country: string; found: string; example: string }) =>
  new Refusal('validation_failed', 'Please check the state or region of the delivery address.', {
    detail: {
      issues: [
        {
          path: 'shipping_address.region',
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

/** Lines of a checkout that cannot be delivered; the message names the item when there is one. */
export const withdrawnLines = (lines: ShortLine[]) =>
  new Refusal(
    'out_of_stock',
    lines.length === 1
      ? `${lines[0]?.title ?? 'An item'} is not available any more.`
      : `${lines.length} items in your bag are not available any more.`,
    { detail: { lines } },
  )

export const discountNotFound = () => new Refusal('not_found', 'We could not find this discount.')

interface Issue {
  path: string
  message: string
}

export const unfitDiscount = (issues: Issue[]) =>
  new Refusal('validation_failed', `The discount was not saved: ${wordsOf(issues)}.`, { detail: { issues } })

const wordsOf = (issues: Issue[]) => issues.map(({ path, message }) => `\`${path}\` ${message}`).join('; ')

/** Of the unknown names the message tells the first; all that were found stand in `detail.issues`. */
const NAMED_IN_MESSAGE = 3

/** @param total how many there are; `issues` may be only the first of them */
export const unknownRestrictions = (issues: Issue[], total: number) => {
  const named = issues.slice(0, NAMED_IN_MESSAGE).map((issue) => issue.message)
  const more = total > named.length ? [`And ${total - named.length} more.`] : []
  return new Refusal('validation_failed', [...named, ...more].join(' '), { detail: { issues, total } })
}

/** Why a code cannot be used; `reason` is for the client, which shows the sentence. */
export const invalidDiscount = (reason: string, message: string) =>
  new Refusal('invalid_discount', message, { detail: { reason } })
