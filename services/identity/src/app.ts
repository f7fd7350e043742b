import {
  PRIVATE_CACHE_CONTROL,
  startRelay,
  type ActorVerifier,
  type App,
  type Clock,
  type Log,
  type Messaging,
  type Timer,
} from '@storefront/chassis'
import { changeAccountRoute } from './accounts/change-account.ts'
import { logInRoute } from './accounts/log-in.ts'
import { logOutRoute } from './accounts/log-out.ts'
import { registerRoute } from './accounts/register.ts'
import { showAccountRoute } from './accounts/show-account.ts'
import { addAddressRoute } from './addresses/add-address.ts'
import { changeAddressRoute } from './addresses/change-address.ts'
import { removeAddressRoute } from './addresses/remove-address.ts'
import { logInAdminRoute } from './admins/log-in-admin.ts'
import { logOutAdminRoute } from './admins/log-out-admin.ts'
import { showAdminRoute } from './admins/show-admin.ts'
import { findApiKeyAnswer } from './api-keys/find-api-key.ts'
import { forgetOldApiKeys } from './api-keys/forget-old-api-keys.ts'
import { listApiKeysRoute } from './api-keys/list-api-keys.ts'
import { makeApiKeyRoute } from './api-keys/make-api-key.ts'
import { revokeApiKeyRoute } from './api-keys/revoke-api-key.ts'
import type { Database } from './database.ts'
import { subscribeRoute } from './newsletter/subscribe.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import { checkSessionAnswer } from './sessions/check-session.ts'
import { forgetExpiredSessions } from './sessions/forget-expired-sessions.ts'
import type { Revocations } from './sessions/share-revocations.ts'
import type { Seals } from './secrets/stored-secret.ts'
import { listPublicKeysRoute } from './tokens/list-public-keys.ts'
import { listSigningKeysRoute } from './tokens/list-signing-keys.ts'
import { rotateOldSigningKey } from './tokens/rotate-old-signing-key.ts'
import { rotateSigningKeyRoute } from './tokens/rotate-signing-key-now.ts'
import type { Tokens } from './tokens/tokens.ts'

export interface Dependencies {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  passwords: PasswordHasher
  tokens: Tokens
  revocations: Revocations
  seals: Seals
  /** How old the key that signs tokens gets before another one takes over; 0 for as long as the shop lives. */
  signingKeyDays: number
  /** The shop's address as its customers write it, with the base path. */
  publicUrl: string
  /** Where the links in mails lead. */
  accountUrl: string
  clock: Clock
  log: Log
}

/** Everything this service offers and does by itself. */
export function registerIdentity(app: App, dependencies: Dependencies): { timers: Timer[] } {
  // What is about one person is nobody else's; the public keys say otherwise for themselves.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  registerRoute(app, dependencies) //      POST   /auth/register
  logInRoute(app, dependencies) //         POST   /auth/login
  logOutRoute(app, dependencies) //        POST   /auth/logout
  showAccountRoute(app, dependencies) //   GET    /me
  changeAccountRoute(app, dependencies) // PATCH  /me
  addAddressRoute(app, dependencies) //    POST   /me/addresses
  changeAddressRoute(app, dependencies) // PATCH  /me/addresses/:id
  removeAddressRoute(app, dependencies) // DELETE /me/addresses/:id
  subscribeRoute(app, dependencies) //     POST   /newsletter

  logInAdminRoute(app, dependencies) //    POST   /admin/auth/login
  logOutAdminRoute(app, dependencies) //   POST   /admin/auth/logout
  showAdminRoute(app, dependencies) //     GET    /admin/auth/me

  makeApiKeyRoute(app, dependencies) //       POST   /admin/api-keys
  listApiKeysRoute(app, dependencies) //      GET    /admin/api-keys
  revokeApiKeyRoute(app, dependencies) //     DELETE /admin/api-keys/:id
  listSigningKeysRoute(app, dependencies) //  GET    /admin/signing-keys
  rotateSigningKeyRoute(app, dependencies) // POST   /admin/signing-keys/rotate

  listPublicKeysRoute(app, dependencies) // GET   /.well-known/jwks.json

  checkSessionAnswer(dependencies) //      session.check, asked by the gateway
  findApiKeyAnswer(dependencies) //        api-key.find, asked by the gateway

  return {
    timers: [
      startRelay(dependencies),
      forgetExpiredSessions(dependencies),
      forgetOldApiKeys(dependencies),
      rotateOldSigningKey(dependencies),
    ],
  }
}
