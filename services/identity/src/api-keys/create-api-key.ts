import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { newId, type Actor } from '@storefront/contracts'
import { lockAdmin } from '../admins/admins.queries.ts'
import { reauthenticateByCode, reauthenticateByPassword } from '../admins/re-authenticate.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { accountGone, tooManyApiKeys } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import { isSessionActive } from '../sessions/sessions.queries.ts'
import {
  ApiKey,
  generateKey,
  isProtected,
  MAX_API_KEYS,
  NewApiKey,
  requireReasonableEnd,
  requireWithinMaker,
  toApiKey,
  type KeyMaker,
} from './api-key.ts'
import { countValidApiKeys, findValidApiKeyById, insertApiKey, lockApiKeys } from './api-keys.queries.ts'

export function createApiKeyRoute(app: App, context: IdentityContext): void {
  const { db, verifyActor, clock } = context
  app.post('/admin/api-keys', {
    config: { access: { admin: 'admins:write' }, errors: ['invalid_credentials', 'missing_credentials'] },
    schema: {
      summary: 'Create an API key',
      description:
        'A secret key has the permissions in `permissions`, which must all be yours, and never more than yours ' +
        'later: it ends when you are removed, disabled, or get a role without one of its permissions. This response is the ' +
        'only one that shows it. A key with `admins:write` or `credentials:write` requires `expiresAt` within 90 days, your own ' +
        'password as `currentPassword`, and a `code` if your second factor is on; a secret key cannot create one. A ' +
        'publishable key may be public and gives no more access than no key at all.',
      body: NewApiKey,
      response: { 200: ApiKey.required({ key: true }) },
    },
    handler: async (request) => {
      const { actor, body } = request
      const origin = originOf(request, verifyActor)
      const end = requireReasonableEnd(body, clock.now())
      const person = isProtected(body)
        ? await reauthenticateByPassword(context, actor, body, { action: 'create_key', origin })
        : undefined
      const { key, ...kept } = generateKey(body.kind)
      const now = clock.now()
      const id = newId('apiKey')
      const { userId } = adminOf(actor)
      const result = await transaction(db, async (tx) => {
        const error = person && (await reauthenticateByCode(tx, person, context, now))
        if (error) return { error }
        const maker = await lockMaker(tx, actor, now)
        if ((await countValidApiKeys(tx, now)) >= MAX_API_KEYS) throw tooManyApiKeys(MAX_API_KEYS)
        const made = {
          id,
          kind: body.kind,
          name: body.name,
          permissions: body.permissions,
          ...kept,
          created_at: now,
          created_by: userId,
          maker_id: maker.id,
          expires_at: body.kind === 'secret' ? requireWithinMaker(body.permissions, end, maker) : null,
        }
        await insertApiKey(tx, made)
        await recordAudit(tx, {
          action: 'create_key',
          actor: userId,
          subject: id,
          fields: body.permissions,
          origin,
          at: now,
        })
        return { made: { ...made, maker_role: maker.role, last_used_at: null, revoked_at: null } }
      })
      if (result.error) throw result.error
      return { ...toApiKey(result.made), key }
    },
  })
}

/**
 * The admin user that the new key belongs to, and the key that creates it, if any. They are locked until the
 * transaction ends, so that no key is created by a user, key or session that ends at the same moment.
 * @throws HttpError `unauthenticated` when either is gone
 */
async function lockMaker(tx: Tx, actor: Actor, now: Date): Promise<KeyMaker & { id: string }> {
  const { userId } = adminOf(actor)
  const sessionId = actor.kind === 'admin' ? actor.sessionId : undefined
  const makerId = sessionId === undefined ? (await findValidApiKeyById(tx, userId, now))?.maker_id : userId
  const user = makerId ? await lockAdmin(tx, makerId) : undefined
  if (!user || user.disabled_at) throw accountGone()
  await lockApiKeys(tx)
  if (sessionId !== undefined) {
    if (!(await isSessionActive(tx, sessionId, now))) throw accountGone()
    return user
  }
  const key = await findValidApiKeyById(tx, userId, now)
  if (!key) throw accountGone()
  return { id: user.id, role: user.role, key }
}
