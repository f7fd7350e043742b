import { z } from 'zod'
import { Money } from '../money.ts'
import { Picture } from './common.ts'

export const CartLine = z
  .object({
    id: z.string(),
    variantId: z.string(),
    /** Missing, like the product's id, in lines that were stored before lines carried them. */
    sku: z.string().optional(),
    productId: z.string().optional(),
    productSlug: z.string(),
    title: z.string(),
    options: z.record(z.string(), z.string()),
    image: Picture,
    quantity: z.int().positive(),
    unitPrice: Money,
    lineTotal: Money,
    /** false when the product was withdrawn: the line stays and counts towards no total (decisions, section 4). */
    available: z.boolean().optional(),
  })
  .meta({ id: 'CartLine' })
export type CartLine = z.output<typeof CartLine>

export const Cart = z
  .object({
    id: z.string(),
    currency: z.string(),
    lines: z.array(CartLine),
    subtotal: Money,
    discount: Money,
    shipping: Money,
    tax: Money,
    total: Money,
    discountCode: z.object({ code: z.string(), label: z.string() }).optional(),
    /** Zero when the shop has none. */
    freeShippingThreshold: Money,
    freeShippingRemaining: Money,
  })
  .meta({ id: 'Cart' })
export type Cart = z.output<typeof Cart>

export const MAX_LINE_QUANTITY = 999
export const MAX_CART_LINES = 100
