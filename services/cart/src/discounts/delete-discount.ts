import { recordChange } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { discountNotFound } from '../errors.ts'
import { DiscountParams } from './discount-params.ts'
import { inputOf, normalizedCode } from './discount.ts'
import { deleteDiscount, findDiscount, lockDiscount } from './discounts.queries.ts'

/** Deletes a discount. Orders keep their discount; the code is removed from carts that have it. */
export function deleteDiscountRoute(app: App, { db, clock }: Pick<CartContext, 'db' | 'clock'>): void {
  app.delete('/admin/discounts/:code', {
    config: { access: { admin: 'discounts:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Delete a discount code',
      description: 'Orders keep their discount. Carts that have the code lose it.',
      params: DiscountParams,
      response: { 200: Ok },
    },
    handler: async ({ params, actor }) => {
      const code = normalizedCode(params.code)
      await transaction(db, async (tx) => {
        await lockDiscount(tx, code)
        const before = await findDiscount(tx, code)
        if (!before) throw discountNotFound()
        await deleteDiscount(tx, code)
        const subject = { kind: 'discount' as const, id: code }
        await recordChange(tx, { actor, subject, before: inputOf(before), at: clock.now() })
      })
      return { ok: true as const }
    },
  })
}
