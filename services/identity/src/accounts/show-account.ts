import type { App } from '@storefront/chassis'
import { Customer } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readCustomer } from './accounts.queries.ts'

export function showAccountRoute(app: App, { db }: Dependencies): void {
  app.get('/me', {
    config: { access: 'customer' },
    schema: { tags: ['Account'], summary: 'The signed-in customer', response: { 200: Customer } },
    handler: ({ actor }) => readCustomer(db, customerIdOf(actor)),
  })
}
