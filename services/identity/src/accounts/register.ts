import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { transaction, violatedConstraint } from '@storefront/postgres'
import { newId } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { requestConfirmation } from '../confirmations/request-confirmation.ts'
import { emailTaken } from '../errors.ts'
import { PASSWORD_RULE, requireStrongPassword } from '../passwords/password.ts'
import { openSession } from '../sessions/open-session.ts'
import {
  Credentials,
  emailColumns,
  PersonName,
  requireCredentials,
  requireEmail,
  SignedIn,
  toCustomer,
} from './account.ts'
import { insertAccount } from './accounts.queries.ts'

/** Names are optional: a shop may require only an email address and a password. */
const Registration = Credentials.extend({
  email: Credentials.shape.email.describe(
    'The address for signing in, in upper or lower case; a link to verify it is sent there.',
  ),
  password: Credentials.shape.password.describe(PASSWORD_RULE),
  firstName: PersonName.optional().describe('Given name, used to greet the customer in mails; empty if omitted.'),
  lastName: PersonName.optional().describe('Family name; empty if omitted.'),
})

export function registerRoute(app: App, { db, passwords, tokens, clock, verifyActor }: IdentityContext): void {
  app.post('/auth/register', {
    config: { access: 'public', errors: ['email_taken', 'invalid_email', 'missing_credentials', 'weak_password'] },
    schema: {
      summary: 'Create an account',
      description:
        'Creates the account, signs the customer in and sends a link that verifies the email address. Names are ' +
        'optional.',
      body: Registration.nullish(),
      response: { 200: SignedIn },
    },
    handler: async (request) => {
      const { body } = request
      const given = requireCredentials(body)
      const email = requireEmail(given.email)
      requireStrongPassword(given.password)
      // Before the transaction: hashing takes long, and it must not occupy a connection.
      const passwordHash = await passwords.hash(given.password)
      const id = newId('customer')
      const { firstName = '', lastName = '' } = body ?? {}
      const createdAt = clock.now()
      const senders = clientKeysOf({ network: networkOf(request, verifyActor) })
      return transaction(db, async (tx) => {
        const account = await insertAccount(tx, {
          id,
          ...emailColumns(email),
          password_hash: passwordHash,
          first_name: firstName,
          last_name: lastName,
          created_at: createdAt,
        })
        const mail = { purpose: 'emailVerification', email, customer: account, senders } as const
        await requestConfirmation(tx, mail, createdAt)
        const { token } = await openSession(tx, tokens, { kind: 'customer', customerId: id }, createdAt)
        return { token, customer: toCustomer(account, []) }
      }).catch((error: unknown) => {
        throw violatedConstraint(error) === 'customers_email_canonical' ? emailTaken() : error
      })
    },
  })
}
