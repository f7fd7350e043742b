import type { App, Clock } from '@storefront/chassis'
import { Discount, DiscountInput } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { codeTaken } from '../errors.ts'
import { insertDiscount } from './discounts.queries.ts'

/** A new discount. One that is there is changed by PATCH, so that nobody overwrites what a colleague made. */
export function createDiscountRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  app.post(
    '/admin/discounts',
    {
      config: { access: { admin: 'discounts:write' }, errors: ['code_taken'] },
      schema: {
        tags: ['Admin: discounts'],
        summary: 'Create a discount code',
        body: DiscountInput,
        response: { 200: Discount },
      },
    },
    async ({ body }) => {
      if (!(await insertDiscount(db, body, clock.now()))) throw codeTaken()
      return { ...body, used: 0 }
    },
  )
}
