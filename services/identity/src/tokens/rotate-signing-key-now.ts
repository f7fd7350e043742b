import { sendSignal } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { SigningKeysChanged, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { adminOf } from '../sessions/caller.ts'
import { replaceSigningKeys, rotateSigningKey } from './rotate-signing-key.ts'

export function rotateSigningKeyRoute(
  app: App,
  { db, encryptions, messaging, verifyActor, clock, log }: IdentityContext,
): void {
  app.post('/admin/signing-keys/rotate', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      summary: 'Sign tokens with a new key',
      description:
        'The new key signs from two minutes on, and no session ends; another request before that gets the same ' +
        'response. With `revokePrevious`, for a key that leaked, it signs at once, and every token signed before is void: ' +
        'all customers and admins have to sign in again. Secret keys stay valid.',
      body: z
        .object({
          revokePrevious: z
            .boolean()
            .optional()
            .describe('True voids all tokens signed before: for a key that leaked.'),
        })
        .nullish(),
      response: {
        200: z.object({
          kid: z.string().describe('The id of the new key in the header of tokens.'),
          signsFrom: Timestamp.describe('When it starts to sign.'),
        }),
      },
    },
    handler: async (request) => {
      const revokePrevious = request.body?.revokePrevious === true
      const at = clock.now()
      const { kid, signsFrom } = await transaction(db, async (tx) => {
        const key = await (revokePrevious ? replaceSigningKeys : rotateSigningKey)(tx, encryptions.signingKeys, at)
        await recordAudit(tx, {
          action: 'rotate_signing_key',
          actor: adminOf(request.actor).userId,
          subject: key.kid,
          fields: revokePrevious ? ['revokePrevious'] : [],
          origin: originOf(request, verifyActor),
          at,
        })
        return key
      })
      log.info({ kid, signsFrom, revokePrevious, requestId: request.id }, 'the signing key was rotated on request')
      sendSignal(messaging, SigningKeysChanged, {})
      return { kid, signsFrom: signsFrom.toISOString() }
    },
  })
}
