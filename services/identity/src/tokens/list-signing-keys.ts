import type { App } from '@storefront/chassis'
import { listOf, Timestamp } from '@storefront/contracts'
import { z } from 'zod'
import type { Dependencies } from '../app.ts'
import { listSigningKeys } from './signing-keys.queries.ts'

const SigningKey = z
  .object({
    kid: z.string().describe('The key in the header of a token, and in /.well-known/jwks.json.'),
    createdAt: Timestamp.describe('When the key was made.'),
    signsFrom: Timestamp.describe('Until then the key is only published, so that those who verify tokens learn of it.'),
    retiredAt: Timestamp.nullable().describe('When its successor takes over, or took over; null without a successor.'),
  })
  .meta({ id: 'SigningKey' })

export function listSigningKeysRoute(app: App, { db }: Dependencies): void {
  app.get('/admin/signing-keys', {
    config: { access: { admin: 'admins:write' } },
    schema: {
      tags: ['Admin: keys'],
      summary: 'List the keys that tokens are signed with',
      description: 'Newest first. A retired key signs nothing any more, but the tokens it signed count to their end.',
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
