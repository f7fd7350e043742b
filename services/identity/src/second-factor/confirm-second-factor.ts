import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { z } from 'zod'
import { lockAdmin } from '../admins/admins.queries.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { accountGone, missingCode, secondFactorIsOn, secondFactorNotPrepared } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { revokeAllAdminSessions } from '../sessions/sessions.queries.ts'
import { checkCode } from './check-code.ts'
import { newRecoveryCodes } from './second-factor.ts'
import { confirmSecondFactor, findSecondFactor } from './second-factor.queries.ts'

export function confirmSecondFactorRoute(
  app: App,
  { db, encryptions, revocations, verifyActor, clock }: IdentityContext,
): void {
  app.post('/admin/auth/totp/confirm', {
    config: { access: 'admin-user', errors: ['conflict', 'invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Switch the second factor on; the recovery codes are shown only now',
      description:
        'From now on signing in requires a code. Ends all other sessions of the admin user; the one that sends the request ' +
        'stays open. Call POST /admin/auth/totp first.',
      body: z
        .object({ code: z.string().nullish().describe('The six digits that the authenticator app shows now.') })
        .nullish(),
      response: {
        200: z.object({
          recoveryCodes: z
            .array(z.string())
            .describe('Ten codes for a user who lost the device; each works once, and they are not shown again.'),
        }),
      },
    },
    handler: async (request) => {
      const { userId, sessionId } = adminPersonOf(request.actor)
      const code = request.body?.code
      if (!code) throw missingCode()
      const at = clock.now()
      const record = { action: 'second_factor_on', actor: userId, subject: userId, at } as const
      const origin = originOf(request, verifyActor)
      const { codes, digests } = newRecoveryCodes()
      const confirmed = await transaction(db, async (tx) => {
        const user = await lockAdmin(tx, userId)
        if (!user || user.disabled_at) throw accountGone()
        const factor = await findSecondFactor(tx, userId)
        if (!factor) throw secondFactorNotPrepared()
        if (factor.confirmed_at) throw secondFactorIsOn()
        const check = await checkCode(tx, factor, code, { encryption: encryptions.secondFactors, now: at })
        const outcome = check.isRight ? 'succeeded' : check.outcome
        if (outcome) await recordAudit(tx, { ...record, outcome, origin })
        if (!check.isRight) return { error: check.error }
        await confirmSecondFactor(tx, userId, digests, at)
        // The other sessions were opened with the password alone, perhaps by another person.
        return { ended: await revokeAllAdminSessions(tx, userId, at, { except: sessionId }) }
      })
      if ('error' in confirmed) throw confirmed.error
      await revocations.share(confirmed.ended)
      return { recoveryCodes: codes }
    },
  })
}
