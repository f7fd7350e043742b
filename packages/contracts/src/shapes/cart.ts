import { z } from 'zod'
import { Money } from '../money.ts'
import { Picture } from './common.ts'

export const CartLine = z
  .object({
    id: z.string().describe('Identifies the line in `/carts/{id}/lines/{lineId}`.'),
    variantId: z.string().describe('The chosen variant; a variant has only one line in a cart.'),
    sku: z.string().optional().describe('Stock keeping unit of the variant; left out in lines from older versions.'),
    productId: z.string().optional().describe('Left out in lines from older versions.'),
    productSlug: z.string().describe('Use it with `GET /products/{slug}`.'),
    title: z.string().describe('Title of the product; in an order, the one at the time of purchase.'),
    options: z.record(z.string(), z.string()).describe('Chosen values by option, such as Size: M; may be empty.'),
    image: Picture.describe('Picture of the variant, or else of its product.'),
    quantity: z.int().positive().describe('Quantity of the variant, 1 to 999.'),
    unitPrice: Money.describe('Price of one unit: in a cart the current price, in an order the price paid.'),
    lineTotal: Money.describe('`unitPrice` times `quantity`, before discounts and tax.'),
    available: z
      .boolean()
      .optional()
      .describe(
        'false when the product was withdrawn: the line stays and counts towards no total. Otherwise left out.',
      ),
  })
  .meta({ id: 'CartLine' })
export type CartLine = z.output<typeof CartLine>

/** The totals of a cart or an order. */
export const amountFields = {
  subtotal: Money.describe('Sum of the lines that can be bought, before discount, shipping and tax.'),
  discount: Money.describe(
    'Amount that the discount takes off the subtotal, as a positive amount; zero without a discount.',
  ),
  shipping: Money.describe('Price of the delivery; a cart assumes the first shipping method.'),
  tax: Money.describe(
    'Part of the total, whether prices contain it or it is added; a cart assumes the first country served.',
  ),
  total: Money.describe('What the buyer pays: subtotal minus discount, plus shipping, plus tax that is added.'),
  discountCode: z
    .object({
      code: z.string().describe('In upper case, whatever the shopper typed.'),
      label: z.string().describe('The merchant\'s label, or a description of the discount such as "10% off".'),
    })
    .optional()
    .describe('The applied discount code; left out if there is none.'),
}

export const Cart = z
  .object({
    id: z
      .string()
      .describe(
        'Gives access to a guest cart by itself: keep it private. By default a cart expires 30 days after its last change.',
      ),
    currency: z.string().describe('ISO 4217 code of every amount of the cart: the currency of the shop.'),
    lines: z.array(CartLine).describe('In the order in which they were added.'),
    ...amountFields,
    freeShippingThreshold: Money.describe(
      'Subtotal minus discount from which shipping is free; zero if there is no threshold.',
    ),
    freeShippingRemaining: Money.describe(
      'Amount that is missing for free shipping; zero if nothing is missing or there is no threshold.',
    ),
  })
  .meta({ id: 'Cart' })
export type Cart = z.output<typeof Cart>

export const MAX_LINE_QUANTITY = 999
export const MAX_CART_LINES = 100
