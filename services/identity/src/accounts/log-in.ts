import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { readEmailAddress } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { checkUnderLimit } from '../attempts/check-under-limit.ts'
import { invalidCredentials } from '../errors.ts'
import { openSession } from '../sessions/open-session.ts'
import { OPEN_CUSTOMER_SESSIONS } from '../sessions/session.ts'
import { revokeOldestCustomerSessions } from '../sessions/sessions.queries.ts'
import { Credentials, requireCredentials, SignedIn } from './account.ts'
import { findPassword, holdPassword, readCustomer } from './accounts.queries.ts'

export function logInRoute(app: App, context: IdentityContext): void {
  const { db, passwords, tokens, revocations, clock } = context
  app.post('/auth/login', {
    config: { access: 'public', errors: ['invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Sign in',
      description:
        'Opens a session of 30 days. An unknown email address and a wrong password get the same response; a customer ' +
        'who signs in on more than 100 devices ends the oldest session.',
      body: Credentials.nullish(),
      response: { 200: SignedIn },
    },
    handler: async ({ body }) => {
      const { email, password } = requireCredentials(body)
      const canonical = readEmailAddress(email)?.canonical
      const account = await findPassword(db, canonical)
      const isRight = await checkUnderLimit(context, { kind: 'customer_password', of: canonical ?? email }, () =>
        // Also without an account: the response time must not reveal whether there is one.
        passwords.verify(account?.password_hash, password),
      )
      if (!account || !isRight) throw invalidCredentials()
      const { ended, ...signedIn } = await transaction(db, async (tx) => {
        // The password may have been changed during the check, which ended every session: no new one may start with the
        // old password.
        if (!(await holdPassword(tx, account.id, account.password_hash))) throw invalidCredentials()
        const customer = await readCustomer(tx, account.id)
        const now = clock.now()
        const beyond = { keep: OPEN_CUSTOMER_SESSIONS - 1, atMost: OPEN_CUSTOMER_SESSIONS }
        const ended = await revokeOldestCustomerSessions(tx, account.id, now, beyond)
        const { token } = await openSession(tx, tokens, { kind: 'customer', customerId: account.id }, now)
        return { token, customer, ended }
      })
      await revocations.share(ended)
      return signedIn
    },
  })
}
