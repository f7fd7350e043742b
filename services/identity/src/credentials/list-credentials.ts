import type { App } from '@storefront/http'
import type { IdentityContext } from '../context.ts'
import { CredentialList, showCredentials } from './credential.ts'
import { listCredentials } from './credentials.queries.ts'

export function listCredentialsRoute(app: App, { db, encryptions }: IdentityContext): void {
  app.get('/admin/credentials', {
    config: { access: { admin: 'credentials:write' } },
    schema: {
      summary: 'Which credentials are set, never their values',
      description:
        'Secrets of payment providers, the mail server and the storefront. They are set with POST /admin/credentials ' +
        'and never returned.',
      response: { 200: CredentialList },
    },
    handler: async () => showCredentials(await listCredentials(db), encryptions.credentials),
  })
}
