import type { App } from '@storefront/http'
import { listOf, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { listSigningKeys } from './signing-keys.queries.ts'

const SigningKey = z
  .object({
    kid: z.string().describe('The id of the key in the header of a token, and in /.well-known/jwks.json.'),
    createdAt: Timestamp.describe('When the key was created.'),
    signsFrom: Timestamp.describe('Until then the key is only published, so that verifiers learn of it.'),
    retiredAt: Timestamp.nullable().describe('When its successor replaces or replaced it; null without a successor.'),
  })
  .meta({ id: 'SigningKey' })

export function listSigningKeysRoute(app: App, { db }: IdentityContext): void {
  app.get('/admin/signing-keys', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      summary: 'List the keys that tokens are signed with',
      description:
        'Newest first. A retired key signs no more tokens, but the tokens it signed stay valid to their end.',
      response: { 200: listOf(SigningKey) },
    },
    handler: async () => {
      const keys = await listSigningKeys(db)
      const items = keys.map((key) => ({
        kid: key.kid,
        createdAt: key.created_at.toISOString(),
        signsFrom: key.signs_from.toISOString(),
        retiredAt: key.retired_at?.toISOString() ?? null,
      }))
      return { items, total: items.length }
    },
  })
}
