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
import { addAdminRoute } from './admins/add-admin.ts'
import { changeAdminRoute } from './admins/change-admin.ts'
import { changeOwnPasswordRoute } from './admins/change-own-password.ts'
import { listAdminsRoute } from './admins/list-admins.ts'
import { logInAdminRoute } from './admins/log-in-admin.ts'
import { logOutAdminRoute } from './admins/log-out-admin.ts'
import { removeAdminRoute } from './admins/remove-admin.ts'
import { showAdminRoute } from './admins/show-admin.ts'
import { forgetOldAttempts } from './attempts/forget-old-attempts.ts'
import { forgetOldAudit } from './audit/forget-old-audit.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import type { Database } from './database.ts'
import { subscribeRoute } from './newsletter/subscribe.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import { confirmSecondFactorRoute } from './second-factor/confirm-second-factor.ts'
import { prepareSecondFactorRoute } from './second-factor/prepare-second-factor.ts'
import { removeSecondFactorRoute } from './second-factor/remove-second-factor.ts'
import { checkSessionAnswer } from './sessions/check-session.ts'
import { forgetExpiredSessions } from './sessions/forget-expired-sessions.ts'
import type { Revocations } from './sessions/share-revocations.ts'
import type { Seals } from './secrets/stored-secret.ts'
import { listPublicKeysRoute } from './tokens/list-public-keys.ts'
import type { Tokens } from './tokens/tokens.ts'

export interface Dependencies {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  passwords: PasswordHasher
  tokens: Tokens
  revocations: Revocations
  seals: Seals
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

  logInAdminRoute(app, dependencies) //          POST   /admin/auth/login
  logOutAdminRoute(app, dependencies) //         POST   /admin/auth/logout
  showAdminRoute(app, dependencies) //           GET    /admin/auth/me
  changeOwnPasswordRoute(app, dependencies) //   POST   /admin/auth/password
  prepareSecondFactorRoute(app, dependencies) // POST   /admin/auth/totp
  confirmSecondFactorRoute(app, dependencies) // POST   /admin/auth/totp/confirm
  removeSecondFactorRoute(app, dependencies) //  DELETE /admin/auth/totp
  listAuditRoute(app, dependencies) //           GET    /admin/auth/audit

  listAdminsRoute(app, dependencies) //    GET    /admin/users
  addAdminRoute(app, dependencies) //      POST   /admin/users
  changeAdminRoute(app, dependencies) //   PATCH  /admin/users/:id
  removeAdminRoute(app, dependencies) //   DELETE /admin/users/:id

  listPublicKeysRoute(app, dependencies) // GET   /.well-known/jwks.json

  checkSessionAnswer(dependencies) //      session.check, asked by the gateway

  return {
    timers: [
      startRelay(dependencies),
      forgetExpiredSessions(dependencies),
      forgetOldAttempts(dependencies),
      forgetOldAudit(dependencies),
    ],
  }
}
