import { randomBytes } from 'node:crypto'
import { clientKeysOf, networkOf, type App } from '@storefront/http'
import { transaction, violatedConstraint } from '@storefront/postgres'
import { EmailVerification, type Actor } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { requireOpenConfirmation, type Link } from '../confirmations/use-confirmation.ts'
import { emailTaken, invalidToken } from '../errors.ts'
import { customerIdOf } from '../sessions/caller.ts'
import { readProof, type AccountProof } from './account-proof.ts'
import { confirmEmail } from './confirm-email.ts'
import { confirmEmailChange } from './confirm-email-change.ts'
import { sendVerificationAgain } from './send-verification-again.ts'

const Verification = z.object({
  token: z
    .string()
    .nullish()
    .describe('From the link in the mail. Without it, the signed-in customer gets the mail again.'),
  password: z
    .string()
    .nullish()
    .describe('The password of the account, if the link is opened without a session of the account.'),
})

export function verifyEmailRoute(app: App, context: IdentityContext): void {
  const { db, links, clock, verifyActor } = context
  app.post('/auth/email/verify', {
    // Public, because mails are also read on devices that are not signed in.
    config: {
      access: 'public',
      errors: ['email_taken', 'invalid_credentials', 'invalid_token', 'missing_credentials', 'unauthenticated'],
    },
    schema: {
      summary: 'Verify an email address, or send the mail again',
      description:
        'With the token of a link, verifies the address that it was sent to, or completes a change of address. Send a session token ' +
        'of the account as well (`Authorization`), or its password: then the link confirms the address. Without either, ' +
        'another person may have registered the address. The link of a registration then ends every session, and the response has ' +
        '`newPasswordRequired` with a `resetToken`: the address is verified when `POST /auth/password/reset` has set a password. ' +
        'The link of a change of address then changes nothing, and the error is `missing_credentials`. Without a token, the ' +
        'signed-in customer gets the mail again.',
      body: Verification.nullish(),
      response: { 200: EmailVerification },
    },
    handler: async (request): Promise<EmailVerification> => {
      const { actor, body } = request
      const { token, password } = body ?? {}
      if (token === undefined || token === null) {
        const customerId = customerIdOf(actor)
        const senders = clientKeysOf({ customerId, network: networkOf(request, verifyActor) })
        await transaction(db, (tx) => sendVerificationAgain(tx, { customerId, senders }, clock))
        return { ok: true }
      }
      const link = links.read(token, ['emailVerification', 'emailChange'])
      const proof = await proofFor(context, link, { actor, password })
      return link.purpose === 'emailChange'
        ? await completeChange(context, link.id, proof)
        : await verify(context, link.id, proof)
    },
  })
}

/** @throws HttpError `invalid_token` for an invalid link, before a password is compared */
async function proofFor(
  context: IdentityContext,
  link: Link,
  given: { actor: Actor; password: string | null | undefined },
): Promise<AccountProof | undefined> {
  const { customer_id: customerId } = await requireOpenConfirmation(context.db, link, context.clock.now())
  if (customerId === null) throw invalidToken()
  return readProof(context, customerId, given)
}

async function completeChange(
  { db, clock }: IdentityContext,
  confirmationId: string,
  proof: AccountProof | undefined,
): Promise<EmailVerification> {
  await transaction(db, (tx) => confirmEmailChange(tx, confirmationId, { proof, clock })).catch((error: unknown) => {
    // Another account may have taken the new address since the mail was sent.
    throw violatedConstraint(error) === 'customers_email_canonical' ? emailTaken() : error
  })
  return { ok: true }
}

async function verify(
  { db, clock, passwords, links, revocations }: IdentityContext,
  confirmationId: string,
  proof: AccountProof | undefined,
): Promise<EmailVerification> {
  // Before the transaction: hashing takes long, and it must not occupy a connection.
  const unusableHash = await passwords.hash(randomBytes(32).toString('base64url'))
  const { resetId, revoked } = await transaction(db, (tx) =>
    confirmEmail(tx, confirmationId, { proof, unusableHash, clock }),
  )
  await revocations.share(revoked)
  if (resetId === undefined) return { ok: true }
  return { ok: true, newPasswordRequired: true, resetToken: links.make('passwordReset', resetId) }
}
