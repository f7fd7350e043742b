import { requireUnchanged, type App } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { Discount, DiscountChange } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { discountNotFound } from '../errors.ts'
import { DiscountParams } from './discount-params.ts'
import { mergedDiscount, normalizedCode } from './discount.ts'
import { findDiscount, lockDiscount, updateDiscount } from './discounts.queries.ts'
import { requireKnownRestrictions } from './require-known-restrictions.ts'
import { recordDiscountChange } from './save-discount.ts'

/** Changes the fields that the body names; the count of redemptions stays. */
export function changeDiscountRoute(app: App, context: Pick<CartContext, 'db' | 'messaging' | 'clock'>): void {
  const { db, messaging, clock } = context
  app.patch('/admin/discounts/:code', {
    config: { access: { admin: 'discounts:write' }, errors: ['not_found', 'read_only_field'] },
    schema: {
      summary: 'Change a discount code; null removes a condition',
      description:
        'Fields that are left out keep their values, and the count of redemptions stays. The code itself cannot be changed. A new `kind` ' +
        'needs a new `value`, except for free shipping.',
      params: DiscountParams,
      body: DiscountChange,
      response: { 200: Discount },
    },
    handler: async ({ params, body, actor, sentBack }) => {
      const code = normalizedCode(params.code)
      const known = await findDiscount(db, code)
      if (!known) throw discountNotFound()
      requireUnchanged(sentBack, known, { isWhole: body.code !== undefined })
      // Merged first: a combination that is not valid is rejected without a request to catalog.
      await requireKnownRestrictions(messaging, mergedDiscount(known, body), known)
      return transaction(db, async (tx) => {
        const at = clock.now()
        await lockDiscount(tx, code)
        const before = await findDiscount(tx, code)
        if (!before) throw discountNotFound()
        const after = mergedDiscount(before, body)
        await updateDiscount(tx, after, at)
        return recordDiscountChange(tx, { actor, before, after, at })
      })
    },
  })
}
