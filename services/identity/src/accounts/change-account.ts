import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Customer } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { oneLine, PersonName } from './account.ts'
import { lockAccount, readCustomer, updateAccount } from './accounts.queries.ts'

const AccountChange = z.object({
  firstName: PersonName.optional().describe('Given name, used to greet the customer in mails.'),
  lastName: PersonName.optional().describe('Family name; may be empty.'),
  phone: oneLine(50).nullish().describe('A phone number in any notation; null or empty removes it.'),
  marketingOptIn: z
    .boolean()
    .optional()
    .describe('Whether the customer agrees to marketing. The newsletter has a separate subscription.'),
})

export function changeAccountRoute(app: App, { db }: IdentityContext): void {
  app.patch('/me', {
    config: { access: 'customer' },
    schema: {
      summary: 'Change name, phone or marketing choice',
      description:
        'Fields that are left out stay unchanged. The email address is changed by POST /auth/email/change, the password by ' +
        'POST /auth/password/change.',
      body: AccountChange,
      response: { 200: Customer },
    },
    handler: ({ actor, body }) =>
      transaction(db, async (tx) => {
        const customerId = customerIdOf(actor)
        await lockAccount(tx, customerId)
        if (Object.keys(body).length > 0) {
          await updateAccount(tx, customerId, {
            first_name: body.firstName,
            last_name: body.lastName,
            phone: body.phone === '' ? null : body.phone,
            marketing_opt_in: body.marketingOptIn,
          })
        }
        return readCustomer(tx, customerId)
      }),
  })
}
