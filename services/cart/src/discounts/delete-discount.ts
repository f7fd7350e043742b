import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Ok } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { discountNotFound } from '../errors.ts'
import { normalizedCode } from './discount.ts'
import { deleteDiscount } from './discounts.queries.ts'

/** Deletes a discount. Orders keep what it took off them, and it falls off the carts that have its code. */
export function deleteDiscountRoute(app: App, { db }: { db: Database }): void {
  app.delete(
    '/admin/discounts/:code',
    {
      config: { access: { admin: 'discounts:write' }, errors: ['not_found'] },
      schema: {
        tags: ['Admin: discounts'],
        summary: 'Delete a discount code',
        params: z.object({ code: z.string() }),
        response: { 200: Ok },
      },
    },
    async ({ params }) => {
      if (!(await deleteDiscount(db, normalizedCode(params.code)))) throw discountNotFound()
      return { ok: true as const }
    },
  )
}
