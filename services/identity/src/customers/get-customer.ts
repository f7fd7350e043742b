import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { OpaqueId } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { customerNotFound } from '../errors.ts'
import { ShopCustomer } from './customer.ts'
import { findCustomer } from './customers.queries.ts'

export const CustomerParams = z.object({
  id: OpaqueId.describe('Id of a customer, as GET /admin/customers lists it.'),
})

export function getCustomerRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/customers/:id', {
    config: { access: { admin: 'customers:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One customer',
      description: 'A customer with an account, with the address book.',
      params: CustomerParams,
      response: { 200: ShopCustomer },
    },
    handler: async ({ params: { id } }) => {
      const customer = await snapshot(db, (moment) => findCustomer(moment, id))
      if (!customer) throw customerNotFound()
      return customer
    },
  })
}
