import { z } from 'zod'
import { DependencyUnavailable } from '@storefront/service'
import type { App } from '@storefront/http'
import { Cart, MAX_CART_LINES, MAX_LINE_QUANTITY, OpaqueId, type PriceEntry } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import {
  insufficientInventory,
  outOfStock,
  quantityBeyondLimit,
  tooManyLines,
  tooManyOfOne,
  variantNotFound,
} from '../errors.ts'
import { CartParams } from './cart-params.ts'
import { changeCart } from './change-cart.ts'
import { ChangeHeaders, onceByKey } from './change-key.ts'
import { withAdded, type StoredLine } from './stored-cart.ts'

const Body = z.object({
  variant_id: OpaqueId.describe("`id` of one of a product's `variants`."),
  quantity: z
    .int()
    .min(1)
    .meta({ maximum: MAX_LINE_QUANTITY })
    .default(1)
    .describe('Added to what the cart already has of this variant; 1 if left out.'),
})

/** Puts a variant into the cart; adding the same variant again increases its quantity. */
export function addLineRoute(app: App, context: CartContext): void {
  app.post('/carts/:id/lines', {
    config: {
      access: 'public',
      errors: [
        'cart_not_found',
        'conflict',
        'idempotency_mismatch',
        'insufficient_inventory',
        'out_of_stock',
        'variant_not_found',
      ],
    },
    schema: {
      summary: 'Put a variant into the cart',
      description:
        `A variant that is in the cart already gets a larger quantity. A cart holds at most ${MAX_CART_LINES} lines of at most ` +
        `${MAX_LINE_QUANTITY} each. Stock is checked here, and held only at the checkout.`,
      params: CartParams,
      headers: ChangeHeaders,
      body: Body,
      response: { 200: Cart },
    },
    handler: async (request, reply) => {
      const { actor, params, body } = request
      checkLimit(body.quantity)
      return changeCart(
        context,
        { cartId: params.id, actor, ...onceByKey(request, reply) },
        [body.variant_id],
        (lines, reading) => addLine(lines, body.variant_id, body.quantity, soldEntry(reading, body.variant_id)),
      )
    },
  })
}

/** @throws HttpError when the variant is sold out or has too little stock */
function addLine(lines: readonly StoredLine[], variantId: string, quantity: number, entry: PriceEntry): StoredLine[] {
  const wanted = quantity + (lines.find((line) => line.variantId === variantId)?.quantity ?? 0)
  checkQuantity(wanted, entry)
  const added = withAdded(lines, variantId, quantity, entry.facts)
  if (added.length > MAX_CART_LINES) throw tooManyLines(MAX_CART_LINES)
  return added
}

/** @throws HttpError `variant_not_found` when it is not sold, DependencyUnavailable when its entry cannot be read */
export function soldEntry({ entries, unread }: PriceReading, variantId: string): PriceEntry {
  if (unread.has(variantId)) throw new DependencyUnavailable('catalog')
  const entry = entries.get(variantId)
  if (!entry || !entry.facts.published) throw variantNotFound()
  return entry
}

/** Not in the schema, because its message is shown to the buyer. @throws HttpError `validation_failed` */
export function checkLimit(quantity: number): void {
  if (quantity > MAX_LINE_QUANTITY) throw quantityBeyondLimit(MAX_LINE_QUANTITY)
}

/** @throws HttpError `out_of_stock` or `insufficient_inventory` */
export function checkQuantity(wanted: number, { inventory }: PriceEntry): void {
  if (inventory === 0) throw outOfStock()
  if (wanted > MAX_LINE_QUANTITY && inventory >= MAX_LINE_QUANTITY) throw tooManyOfOne(MAX_LINE_QUANTITY)
  if (wanted > inventory) throw insufficientInventory(inventory)
}
