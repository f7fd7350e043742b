import { snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { ShopCustomer } from './customer.ts'
import { findCustomers } from './customers.queries.ts'

export function listCustomersRoute(app: App, { db }: Dependencies): void {
  app.get('/admin/customers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      tags: ['Admin: customers'],
      summary: 'Customers, newest first',
      querystring: z.object({
        q: z
          .string()
          .trim()
          .max(200)
          .optional()
          .transform((text) => (text === '' ? undefined : text))
          .describe(
            'Part of the e-mail address or the name; of one or two letters, the beginning of either or of the last name.',
          ),
        page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
        per_page: clampedInteger({ default: 25, min: 1, max: 100 }),
      }),
      response: { 200: listOf(ShopCustomer).extend({ page: z.int().positive(), perPage: z.int().positive() }) },
    },
    handler: async ({ query: { q, page, per_page: perPage } }) => {
      const search = { q, limit: perPage, offset: (page - 1) * perPage }
      const { customers, total } = await snapshot(db, (moment) => findCustomers(moment, search))
      return { items: customers, total, page, perPage }
    },
  })
}
