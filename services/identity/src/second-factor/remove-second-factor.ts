import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok } from '@storefront/contracts'
import { z } from 'zod'
import { checkOwnPassword, lockChecked } from '../admins/check-own-password.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { missingCode, missingPassword, secondFactorIsNotOn } from '../errors.ts'
import { adminPersonOf } from '../sessions/caller.ts'
import { checkCode } from './check-code.ts'
import { deleteSecondFactor, findSecondFactor } from './second-factor.queries.ts'

const RemovalBody = z.object({
  password: z.string().nullish().describe('Your current password.'),
  code: z.string().nullish().describe('From the authenticator app, or a recovery code.'),
})

export function removeSecondFactorRoute(app: App, context: IdentityContext): void {
  const { db, encryptions, verifyActor, clock } = context
  app.delete('/admin/auth/totp', {
    config: { access: 'admin-user', errors: ['conflict', 'invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Switch the second factor off, with the password and a code',
      description:
        'Signing in requires only the password again, and the recovery codes are void. For a user who lost both, an ' +
        'owner does it with PATCH /admin/users/:id.',
      body: RemovalBody.nullish(),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { userId, sessionId } = adminPersonOf(request.actor)
      const { password, code } = request.body ?? {}
      if (!password) throw missingPassword()
      if (!code) throw missingCode()
      const operation = { action: 'second_factor_off', origin: originOf(request, verifyActor) } as const
      const checked = await checkOwnPassword(context, userId, password, operation)
      const error = await transaction(db, async (tx) => {
        const at = clock.now()
        await lockChecked(tx, checked, sessionId, at)
        const factor = await findSecondFactor(tx, userId)
        if (!factor?.confirmed_at) throw secondFactorIsNotOn()
        const check = await checkCode(tx, factor, code, { encryption: encryptions.secondFactors, now: at })
        if (check.isRight) await deleteSecondFactor(tx, userId)
        const outcome = check.isRight ? 'succeeded' : check.outcome
        if (outcome) await recordAudit(tx, { ...operation, outcome, actor: userId, subject: userId, at })
        return check.isRight ? undefined : check.error
      })
      if (error) throw error
      return { ok: true }
    },
  })
}
