import {
  clientKeysOf,
  networkOf,
  publish,
  transaction,
  violatedConstraint,
  type App,
  type Clock,
} from '@storefront/chassis'
import { CustomerVerified, Ok } from '@storefront/contracts'
import { z } from 'zod'
import { markVerified } from '../accounts/accounts.queries.ts'
import type { Dependencies } from '../app.ts'
import { useConfirmation } from '../confirmations/use-confirmation.ts'
import type { Tx } from '../database.ts'
import { emailTaken, invalidToken } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { confirmEmailChange } from './confirm-email-change.ts'
import { sendVerificationAgain } from './send-verification-again.ts'

const Verification = z.object({
  token: z
    .string()
    .nullish()
    .describe('From the link of the mail. Without it, the customer who is signed in gets the mail again.'),
})

export function verifyEmailRoute(app: App, { db, links, clock, verifyActor }: Dependencies): void {
  app.post('/auth/email/verify', {
    // Public: mails are read on another device than the one that is signed in.
    config: { access: 'public', errors: ['email_taken', 'invalid_token', 'unauthenticated'] },
    schema: {
      tags: ['Account'],
      summary: 'Confirm an e-mail address, or have the mail sent again',
      description:
        'With the token of a link, verifies the address that it was sent to, or completes a change of address; no ' +
        'sign-in is needed. Without a token, the customer who is signed in gets the mail again.',
      body: Verification.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { actor, body } = request
      const token = body?.token ?? undefined
      if (token === undefined) {
        const customerId = customerIdOf(actor)
        const senders = clientKeysOf({ customerId, network: networkOf(request, verifyActor) })
        await transaction(db, (tx) => sendVerificationAgain(tx, { customerId, senders }, clock))
        return { ok: true }
      }
      const { purpose, id } = links.read(token, ['emailVerification', 'emailChange'])
      const confirm = purpose === 'emailChange' ? confirmEmailChange : confirmEmail
      await transaction(db, (tx) => confirm(tx, id, clock)).catch((error: unknown) => {
        // Somebody may have taken the new address since the mail was sent.
        throw violatedConstraint(error) === 'customers_email_canonical' ? emailTaken() : error
      })
      return { ok: true }
    },
  })
}

async function confirmEmail(tx: Tx, confirmationId: string, clock: Clock): Promise<void> {
  const { account, email, now } = await useConfirmation(tx, { purpose: 'emailVerification', id: confirmationId }, clock)
  if (account.email_canonical !== email.canonical) throw invalidToken()
  await markVerified(tx, account.id, now)
  await publish(tx, CustomerVerified, { customerId: account.id, email: email.canonical }, now)
}
