import { z } from 'zod'
import { Money } from '../money.ts'
import { Picture } from './common.ts'

export const CartLine = z
  .object({
    id: z.string().describe('Names the line in `/carts/{id}/lines/{lineId}`.'),
    variantId: z.string().describe('What was chosen; a variant has one line in a cart.'),
    sku: z.string().optional().describe('Stock keeping unit of the variant; left out in lines of older versions.'),
    productId: z.string().optional().describe('Left out, like `sku`, in lines of older versions.'),
    productSlug: z.string().describe('Leads to the product with `GET /products/{slug}`.'),
    title: z.string().describe('Title of the product; in an order, the one at the time of purchase.'),
    options: z.record(z.string(), z.string()).describe('Chosen values by option, such as Size: M; may be empty.'),
    image: Picture.describe('Picture of the variant, or else of its product.'),
    quantity: z.int().positive().describe('How many of the variant, 1 to 999.'),
    unitPrice: Money.describe('Price of one: in a cart the price now, in an order the price paid.'),
    lineTotal: Money.describe('`unitPrice` times `quantity`, before discounts and tax.'),
    available: z
      .boolean()
      .optional()
      .describe('false when the product was withdrawn: the line stays and counts towards no total. Else left out.'),
  })
  .meta({ id: 'CartLine' })
export type CartLine = z.output<typeof CartLine>

/** What a cart costs and an order cost. */
export const amountFields = {
  subtotal: Money.describe('Sum of the lines that can be bought, before discount, shipping and tax.'),
  discount: Money.describe('What the code takes off the subtotal, as a positive amount; zero without a code.'),
  shipping: Money.describe('Price of the delivery; a cart assumes the first shipping method.'),
  tax: Money.describe(
    'Part of the total, whether prices contain it or it is added; a cart assumes the first country served.',
  ),
  total: Money.describe('What the buyer pays: subtotal less discount, plus shipping, plus tax that is added.'),
  discountCode: z
    .object({
      code: z.string().describe('In upper case, whatever the shopper typed.'),
      label: z.string().describe('What the merchant calls it, or else what it does, such as "10% off".'),
    })
    .optional()
    .describe('The code in force; left out while there is none.'),
}

export const Cart = z
  .object({
    id: z
      .string()
      .describe(
        'Opens a guest cart by itself: keep it private. By default a cart expires 30 days after its last change.',
      ),
    currency: z.string().describe('ISO 4217 code of every amount of the cart: the currency of the shop.'),
    lines: z.array(CartLine).describe('In the order in which they were added.'),
    ...amountFields,
    freeShippingThreshold: Money.describe(
      'Subtotal less discount from which shipping is free; zero when there is none.',
    ),
    freeShippingRemaining: Money.describe(
      'What is missing to free shipping; zero when nothing is missing or there is no threshold.',
    ),
  })
  .meta({ id: 'Cart' })
export type Cart = z.output<typeof Cart>

export const MAX_LINE_QUANTITY = 999
export const MAX_CART_LINES = 100
