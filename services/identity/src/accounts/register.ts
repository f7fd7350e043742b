import { clientKeysOf, networkOf, transaction, violatedConstraint, type App } from '@storefront/chassis'
import { newId } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { askForConfirmation } from '../confirmations/ask-for-confirmation.ts'
import { emailTaken } from '../errors.ts'
import { PASSWORD_RULE, requireStrongPassword } from '../passwords/password.ts'
import { openSession } from '../sessions/open-session.ts'
import { Credentials, PersonName, requireCredentials, requireEmail, SignedIn, toCustomer } from './account.ts'
import { insertAccount } from './accounts.queries.ts'

/** Names may be left out: a shop may ask for nothing but an e-mail address and a password. */
const Registration = Credentials.extend({
  email: Credentials.shape.email.describe(
    'What the customer signs in with, in any case; a link to verify it is sent there.',
  ),
  password: Credentials.shape.password.describe(PASSWORD_RULE),
  firstName: PersonName.optional().describe('Given name, which mails greet the customer with; empty when left out.'),
  lastName: PersonName.optional().describe('Family name; empty when left out.'),
})

export function registerRoute(app: App, { db, passwords, tokens, clock, verifyActor }: Dependencies): void {
  app.post('/auth/register', {
    config: { access: 'public', errors: ['email_taken', 'invalid_email', 'missing_credentials', 'weak_password'] },
    schema: {
      tags: ['Account'],
      summary: 'Create an account',
      description:
        'Makes the account, signs the customer in and sends a link that verifies the email address. Names may be ' +
        'left out.',
      body: Registration.nullish(),
      response: { 200: SignedIn },
    },
    handler: async (request) => {
      const { body } = request
      const given = requireCredentials(body)
      const email = requireEmail(given.email)
      requireStrongPassword(given.password)
      // Before the transaction: hashing takes long, and a connection is too dear to wait for it.
      const passwordHash = await passwords.hash(given.password)
      const id = newId('customer')
      const { firstName = '', lastName = '' } = body ?? {}
      const createdAt = clock.now()
      const senders = clientKeysOf({ network: networkOf(request, verifyActor) })
      return transaction(db, async (tx) => {
        const account = await insertAccount(tx, { id, email, passwordHash, firstName, lastName, createdAt })
        const mail = { purpose: 'emailVerification', email, customer: account, senders } as const
        await askForConfirmation(tx, mail, createdAt)
        const { token } = await openSession(tx, tokens, { kind: 'customer', customerId: id }, createdAt)
        return { token, customer: toCustomer(account, []) }
      }).catch((error: unknown) => {
        throw violatedConstraint(error) === 'customers_email_canonical' ? emailTaken() : error
      })
    },
  })
}
