import type { App } from '@storefront/http'
import { z } from 'zod'
import type { IdentityContext } from '../context.ts'
import { KEPT_AFTER_RETIREMENT_MS, PUBLIC_KEYS_MAX_AGE_SECONDS, PublicJwk } from './signing-key.ts'
import { listPublicKeys } from './signing-keys.queries.ts'

export function listPublicKeysRoute(app: App, { db, clock }: IdentityContext): void {
  app.get('/.well-known/jwks.json', {
    config: { access: 'public' },
    schema: {
      summary: 'Public keys of the tokens',
      description:
        'A JSON Web Key Set (RFC 7517) for services that verify the tokens of customers and admins themselves. A ' +
        'new key is listed two minutes before it signs: cache the response for a minute at most.',
      response: {
        200: z.object({ keys: z.array(PublicJwk).describe('Newest first; a token names its key by `kid`.') }),
      },
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${PUBLIC_KEYS_MAX_AGE_SECONDS}`)
      return { keys: await listPublicKeys(db, new Date(clock.now().getTime() - KEPT_AFTER_RETIREMENT_MS)) }
    },
  })
}
