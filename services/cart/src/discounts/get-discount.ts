import type { App } from '@storefront/http'
import { Discount } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { discountNotFound } from '../errors.ts'
import { DiscountParams } from './discount-params.ts'
import { discountResponse, normalizedCode } from './discount.ts'
import { findDiscount } from './discounts.queries.ts'

export function getDiscountRoute(app: App, { db }: { db: Database }): void {
  app.get('/admin/discounts/:code', {
    config: { access: { admin: 'discounts:write' }, errors: ['not_found'] },
    schema: {
      summary: 'A discount code and how often it was redeemed',
      description: 'Conditions that the discount does not have are left out. Shoppers see only its code and its label.',
      params: DiscountParams,
      response: { 200: Discount },
    },
    handler: async ({ params }) => {
      const discount = await findDiscount(db, normalizedCode(params.code))
      if (!discount) throw discountNotFound()
      return discountResponse(discount)
    },
  })
}
