import { z } from 'zod'
import { transaction, type App, type Clock } from '@storefront/chassis'
import { Discount, DiscountChange, DiscountInput } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { discountNotFound, unfitDiscount } from '../errors.ts'
import { inputOf, normalizedCode, type StoredDiscount } from './discount.ts'
import { findDiscount, lockDiscount, updateDiscount } from './discounts.queries.ts'

/** Changes what the body names; what was used stays used. */
export function changeDiscountRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  app.patch(
    '/admin/discounts/:code',
    {
      config: { access: { admin: 'discounts:write' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: discounts'],
        summary: 'Change a discount code; null takes a condition away',
        params: z.object({ code: z.string() }),
        body: DiscountChange,
        response: { 200: Discount },
      },
    },
    async ({ params, body }) =>
      transaction(db, async (tx) => {
        const code = normalizedCode(params.code)
        await lockDiscount(tx, code)
        const before = await findDiscount(tx, code)
        if (!before) throw discountNotFound()
        const input = changedDiscount(before, body)
        await updateDiscount(tx, input, clock.now())
        return { ...input, used: before.used }
      }),
  )
}

/** @throws Refusal `validation_failed` when the whole would be no discount, or when it would get another code */
export function changedDiscount(before: StoredDiscount, change: DiscountChange): DiscountInput {
  if (change.code !== undefined && change.code !== before.code) {
    throw unfitDiscount([{ path: 'code', message: 'cannot be changed' }])
  }
  // What a kind does not need is gone with the kind that needed it.
  const value = change.kind === 'shipping' && change.value === undefined ? { value: 0 } : {}
  const named = Object.entries({ ...inputOf(before), ...change, ...value }).filter(([, each]) => each !== null)
  const whole = DiscountInput.safeParse(Object.fromEntries(named))
  if (whole.success) return whole.data
  throw unfitDiscount(whole.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}
