import type { App } from '@storefront/http'
import { Customer } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readCustomer } from './accounts.queries.ts'

export function getAccountRoute(app: App, { db }: IdentityContext): void {
  app.get('/me', {
    config: { access: 'customer' },
    schema: {
      summary: 'The signed-in customer',
      description:
        'The account of the token, with its address book. The error is 401 `unauthenticated` when no customer is ' +
        'signed in.',
      response: { 200: Customer },
    },
    handler: ({ actor }) => readCustomer(db, customerIdOf(actor)),
  })
}
