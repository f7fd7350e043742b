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

export const codeTaken = () => new Refusal('code_taken', 'There is a discount with this code already.')

export const unfitDiscount = (issues: { path: string; message: string }[]) =>
  new Refusal('validation_failed', 'Something in this discount is not as it should be.', { detail: { issues } })

/** Why a code cannot be used; `reason` is for the client, which shows the sentence. */
export const invalidDiscount = (reason: string, message: string) =>
  new Refusal('invalid_discount', message, { detail: { reason } })
