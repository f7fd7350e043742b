import { storeSecret } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { z } from 'zod'
import { checkOwnPassword, lockChecked } from '../admins/check-own-password.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { missingPassword, secondFactorIsOn } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { newTotpSecret, setUpUrl } from './second-factor.ts'
import { findSecondFactor, insertSecondFactor } from './second-factor.queries.ts'

export function prepareSecondFactorRoute(app: App, context: IdentityContext): void {
  const { db, encryptions, publicUrl, verifyActor, clock } = context
  app.post('/admin/auth/totp', {
    config: { access: 'admin-user', errors: ['conflict', 'invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Set up a second factor; it is on once a code has confirmed it',
      description:
        'Creates a new secret for an authenticator app, replacing one that was not confirmed. Signing in does not change ' +
        'before POST /admin/auth/totp/confirm.',
      body: z
        .object({ password: z.string().nullish().describe('Your current password: an open session is not enough.') })
        .nullish(),
      response: {
        200: z.object({
          secret: z.string().describe('Base32, to be typed into the authenticator app on a device without a camera.'),
          url: z.string().describe('The same as an `otpauth://` URL, to be shown as a QR code.'),
        }),
      },
    },
    handler: async (request) => {
      const { userId, sessionId } = adminPersonOf(request.actor)
      const password = request.body?.password
      if (!password) throw missingPassword()
      const operation = { action: 'second_factor_on', origin: originOf(request, verifyActor) } as const
      const checked = await checkOwnPassword(context, userId, password, operation)
      const secret = newTotpSecret()
      await transaction(db, async (tx) => {
        const at = clock.now()
        await lockChecked(tx, checked, sessionId, at)
        const factor = await findSecondFactor(tx, userId)
        if (factor?.confirmed_at) throw secondFactorIsOn()
        await insertSecondFactor(tx, userId, storeSecret(encryptions.secondFactors, secret, userId), at)
        await recordAudit(tx, { ...operation, action: 'prepare_second_factor', actor: userId, subject: userId, at })
      })
      return { secret, url: setUpUrl(secret, { publicUrl, email: checked.email }) }
    },
  })
}
