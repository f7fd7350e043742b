import { pageFields, pageParameters, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { listOf } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { ShopCustomer } from './customer.ts'
import { findCustomers } from './customers.queries.ts'

export function listCustomersRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/customers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      summary: 'Customers, newest first',
      description:
        'Customers with an account, each with the address book. A guest who ordered without one is found among the ' +
        'orders.',
      querystring: z.object({
        q: z
          .string()
          .trim()
          .max(200)
          .optional()
          .transform((text) => (text === '' ? undefined : text))
          .describe(
            'Part of the email address or the name; of one or two letters, the beginning of either or of the last ' +
              'name.',
          ),
        ...pageParameters({ default: 25, max: 100 }),
      }),
      response: { 200: listOf(ShopCustomer).extend(pageFields) },
    },
    handler: async ({ query: { q, page, per_page: perPage } }) => {
      const search = { q, limit: perPage, offset: (page - 1) * perPage }
      const { customers, total } = await snapshot(db, (moment) => findCustomers(moment, search))
      return { items: customers, total, page, perPage }
    },
  })
}
