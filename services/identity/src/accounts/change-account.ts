import { transaction, type App } from '@storefront/chassis'
import { Customer } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { oneLine, PersonName } from './account.ts'
import { lockAccount, readCustomer, updateAccount } from './accounts.queries.ts'

const AccountChange = z.object({
  firstName: PersonName.optional(),
  lastName: PersonName.optional(),
  /** Null or empty removes it. */
  phone: oneLine(50).nullish(),
  marketingOptIn: z.boolean().optional(),
})

export function changeAccountRoute(app: App, { db }: Dependencies): void {
  app.patch('/me', {
    config: { access: 'customer' },
    schema: {
      tags: ['Account'],
      summary: 'Change name, phone or marketing choice',
      body: AccountChange,
      response: { 200: Customer },
    },
    handler: ({ actor, body }) =>
      transaction(db, async (tx) => {
        const customerId = customerIdOf(actor)
        await lockAccount(tx, customerId)
        const phone = body.phone === '' ? null : body.phone
        if (Object.keys(body).length > 0) await updateAccount(tx, customerId, { ...body, phone })
        return readCustomer(tx, customerId)
      }),
  })
}
