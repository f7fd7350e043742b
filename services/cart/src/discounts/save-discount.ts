import { recordChange } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Discount, DiscountSave, type Actor, type DiscountInput } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { inputOf, mergedDiscount, type StoredDiscount } from './discount.ts'
import { findDiscount, insertDiscount, lockDiscount, updateDiscount } from './discounts.queries.ts'
import { requireKnownRestrictions } from './require-known-restrictions.ts'

export function saveDiscountRoute(app: App, context: Pick<CartContext, 'db' | 'messaging' | 'clock'>): void {
  const { db, messaging, clock } = context
  app.post('/admin/discounts', {
    config: { access: { admin: 'discounts:write' } },
    schema: {
      summary: 'Save a discount under its code; fields left out of an existing one keep their values',
      description:
        'A new discount needs a `kind`, and a `value` unless it is free shipping. Null removes a condition. The count of redemptions ' +
        'stays. A `value` with the kind `shipping` is accepted and not stored. Products and categories that ' +
        'the shop does not have are 422, each named; while catalog is not available to check them, the reply is 503.',
      body: DiscountSave,
      response: { 200: Discount },
    },
    handler: async ({ body, actor }) => {
      const known = await findDiscount(db, body.code)
      // Merged first: a combination that is not valid is rejected without a request to catalog.
      await requireKnownRestrictions(messaging, mergedDiscount(known, body), known)
      return transaction(db, async (tx) => {
        const at = clock.now()
        const { before, after } = await write(tx, body, at)
        return recordDiscountChange(tx, { actor, before, after, at })
      })
    },
  })
}

async function write(
  tx: Tx,
  change: DiscountSave,
  now: Date,
): Promise<{ before: StoredDiscount | undefined; after: DiscountInput }> {
  await lockDiscount(tx, change.code)
  const before = await findDiscount(tx, change.code)
  const after = mergedDiscount(before, change)
  if (before) await updateDiscount(tx, after, now)
  // Another request has created it since the lookup: this one changes it.
  else if (!(await insertDiscount(tx, after, now))) return write(tx, change, now)
  return { before, after }
}

/** Writes a change of a discount into the audit. @returns the discount as merchants read it */
export async function recordDiscountChange(
  tx: Tx,
  change: { actor: Actor; before: StoredDiscount | undefined; after: DiscountInput; at: Date },
): Promise<Discount> {
  const { actor, before, after, at } = change
  const subject = { kind: 'discount' as const, id: after.code }
  await recordChange(tx, { actor, subject, before: before && inputOf(before), after, at })
  return { ...after, used: before?.used ?? 0 }
}
