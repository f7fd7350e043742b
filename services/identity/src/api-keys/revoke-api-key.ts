import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { Ok, OpaqueId } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { apiKeyNotFound } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import { hasApiKey, lockApiKeys, revokeApiKey } from './api-keys.queries.ts'
import { endKeysMadeBy, forGateways } from './end-keys.ts'

export function revokeApiKeyRoute(app: App, { db, revocations, verifyActor, clock }: IdentityContext): void {
  app.delete('/admin/api-keys/:id', {
    // Also for a key with more permissions than the caller: taking permissions away is always allowed.
    config: { access: { admin: 'admins:write' }, errors: ['not_found'] },
    schema: {
      summary: 'Revoke an API key',
      description:
        'A secret key ends at once, everywhere, and with it the keys that it has created. A publishable key is only ' +
        'marked in the list: it never gave more access than no key at all, and a storefront that uses it keeps working.',
      params: z.object({
        id: OpaqueId.describe('Id of the key, as GET /admin/api-keys lists it; not the key itself.'),
      }),
      response: { 200: Ok },
    },
    handler: async (request): Promise<{ ok: true }> => {
      const { id } = request.params
      const ending = { actor: adminOf(request.actor).userId, origin: originOf(request, verifyActor), at: clock.now() }
      const revoked = await transaction(db, async (tx) => {
        await lockApiKeys(tx)
        const key = await revokeApiKey(tx, id, ending.at)
        if (!key) {
          if (!(await hasApiKey(tx, id))) throw apiKeyNotFound()
          return []
        }
        await recordAudit(tx, { ...ending, action: 'revoke_key', subject: id })
        return [...forGateways([key], ending.at), ...(await endKeysMadeBy(tx, [id], ending))]
      })
      await revocations.shareApiKeys(revoked)
      return { ok: true }
    },
  })
}
