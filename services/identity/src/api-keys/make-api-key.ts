import { transaction, type App } from '@storefront/chassis'
import { newId } from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { tooManyApiKeys } from '../errors.ts'
import { adminUserIdOf } from '../sessions/caller.ts'
import { ApiKey, generateKey, MAX_API_KEYS, NewApiKey, requireReasonable, toApiKey } from './api-key.ts'
import { countGoodApiKeys, insertApiKey, lockApiKeys } from './api-keys.queries.ts'

export function makeApiKeyRoute(app: App, { db, verifyActor, clock }: Dependencies): void {
  app.post('/admin/api-keys', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: keys'],
      summary: 'Make a key for a machine',
      description:
        'A secret key may do what its `permissions` say, which cannot be more than you may do yourself. This answer is ' +
        'the only one that shows it. A publishable key may be seen by everybody and is worth no more than no key at all.',
      body: NewApiKey,
      response: { 200: ApiKey.required({ key: true }) },
    },
    handler: async (request) => {
      const { actor, body } = request
      const now = clock.now()
      const expiresAt = requireReasonable(body, actor, now)
      const { key, ...kept } = generateKey(body.kind)
      const made = {
        id: newId('apiKey'),
        kind: body.kind,
        name: body.name,
        permissions: body.permissions,
        ...kept,
        created_at: now,
        created_by: adminUserIdOf(actor),
        expires_at: expiresAt,
      }
      await transaction(db, async (tx) => {
        await lockApiKeys(tx)
        if ((await countGoodApiKeys(tx, now)) >= MAX_API_KEYS) throw tooManyApiKeys(MAX_API_KEYS)
        await insertApiKey(tx, made)
        await recordAudit(tx, {
          action: 'create_key',
          actor: made.created_by,
          subject: made.id,
          fields: body.permissions,
          origin: originOf(request, verifyActor),
          at: now,
        })
      })
      return { ...toApiKey({ ...made, last_used_at: null, revoked_at: null }), key }
    },
  })
}
