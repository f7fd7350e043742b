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
import { replyToReadActorNames } from './actors/read-actor-names.ts'
import { listActivityRoute } from './activity/list-activity.ts'
import { changeAccountRoute } from './accounts/change-account.ts'
import { deleteAccountRoute } from './accounts/delete-account.ts'
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
import { replyToReadAdminAddress } from './admins/read-admin-address.ts'
import { removeAdminRoute } from './admins/remove-admin.ts'
import { showAdminRoute } from './admins/show-admin.ts'
import { replyToFindApiKey } from './api-keys/find-api-key.ts'
import { purgeOldApiKeys } from './api-keys/purge-old-api-keys.ts'
import { listApiKeysRoute } from './api-keys/list-api-keys.ts'
import { makeApiKeyRoute } from './api-keys/make-api-key.ts'
import { revokeApiKeyRoute } from './api-keys/revoke-api-key.ts'
import { deleteOldAttempts } from './attempts/delete-old-attempts.ts'
import { deleteOldAudit } from './audit/delete-old-audit.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import { purgeOldConfirmations } from './confirmations/purge-old-confirmations.ts'
import { purgeOldRecipients } from './confirmations/purge-old-recipients.ts'
import type { LinkTokens } from './confirmations/link-tokens.ts'
import { replyToReadMailLink } from './confirmations/read-mail-link.ts'
import { deleteReplacedCredentials } from './credentials/delete-replaced-credentials.ts'
import { setCredentialsRoute } from './credentials/set-credentials.ts'
import { listCredentialsRoute } from './credentials/list-credentials.ts'
import { replyToReadCredentials } from './credentials/read-credentials.ts'
import { listCustomersRoute } from './customers/list-customers.ts'
import { showCustomerRoute } from './customers/show-customer.ts'
import type { Database } from './database.ts'
import { changeEmailRoute } from './email/change-email.ts'
import { replyToCheckAddresses } from './email/check-addresses.ts'
import { readUnreadAddresses } from './email/read-unread-addresses.ts'
import { verifyEmailRoute } from './email/verify-email.ts'
import { confirmSubscriptionRoute } from './newsletter/confirm-subscription.ts'
import { deleteUnconfirmed } from './newsletter/delete-unconfirmed.ts'
import { listSubscribersRoute } from './newsletter/list-subscribers.ts'
import { subscribeRoute } from './newsletter/subscribe.ts'
import { unsubscribeRoute } from './newsletter/unsubscribe.ts'
import { processNewsletterRequests } from './newsletter/process-newsletter-requests.ts'
import { emailVerifyPage } from './pages/email-verify-page.ts'
import { newsletterConfirmPage } from './pages/newsletter-confirm-page.ts'
import { newsletterUnsubscribePage } from './pages/newsletter-unsubscribe-page.ts'
import { pageScriptRoute } from './pages/page-script.ts'
import { pageStyleRoute } from './pages/page-style.ts'
import { passwordResetPage } from './pages/password-reset-page.ts'
import { changePasswordRoute } from './passwords/change-password.ts'
import { forgotPasswordRoute } from './passwords/forgot-password.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import { resetPasswordRoute } from './passwords/reset-password.ts'
import { processResetRequests } from './passwords/process-reset-requests.ts'
import { exportPersonalDataRoute } from './personal-data/export-personal-data.ts'
import { confirmSecondFactorRoute } from './second-factor/confirm-second-factor.ts'
import { prepareSecondFactorRoute } from './second-factor/prepare-second-factor.ts'
import { removeSecondFactorRoute } from './second-factor/remove-second-factor.ts'
import type { Encryptions } from './secrets/encryptions.ts'
import { replyToCheckSession } from './sessions/check-session.ts'
import { purgeExpiredSessions } from './sessions/purge-expired-sessions.ts'
import type { Revocations } from './sessions/share-revocations.ts'
import { listPublicKeysRoute } from './tokens/list-public-keys.ts'
import { countSignIns } from './sessions/count-sign-ins.ts'
import { listSigningKeysRoute } from './tokens/list-signing-keys.ts'
import { rotateOldSigningKey } from './tokens/rotate-old-signing-key.ts'
import { rotateSigningKeyRoute } from './tokens/rotate-signing-key-now.ts'
import type { Tokens } from './tokens/tokens.ts'
import { removeProductRoute } from './wishlist/remove-product.ts'
import { saveProductRoute } from './wishlist/save-product.ts'
import { showWishlistRoute } from './wishlist/show-wishlist.ts'

export interface Dependencies {
  db: Database
  messaging: Messaging
  verifyActor: ActorVerifier
  passwords: PasswordHasher
  /** How many wrong passwords of one account are checked within the window; undefined for no limit. */
  passwordAttempts: number | undefined
  tokens: Tokens
  revocations: Revocations
  /** The key that the links in mails are signed with. */
  links: LinkTokens
  encryptions: Encryptions
  /** The age at which the key that signs tokens is replaced; 0 for never. */
  signingKeyDays: number
  /** Public address of the shop, with the base path. */
  publicUrl: string
  /** Base of the links in mails. */
  accountUrl: string
  clock: Clock
  log: Log
}

/** Every route, request handler and timer of this service. */
export function registerIdentity(app: App, dependencies: Dependencies): { timers: Timer[] } {
  // Responses about one person are private; the public keys set their own headers.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  countSignIns(app)

  const resetRequests = processResetRequests(dependencies)
  const newsletterRequests = processNewsletterRequests(dependencies)

  registerRoute(app, dependencies) //       POST   /auth/register
  logInRoute(app, dependencies) //          POST   /auth/login
  logOutRoute(app, dependencies) //         POST   /auth/logout
  verifyEmailRoute(app, dependencies) //    POST   /auth/email/verify
  changeEmailRoute(app, dependencies) //    POST   /auth/email/change
  changePasswordRoute(app, dependencies) // POST   /auth/password/change
  forgotPasswordRoute(app, dependencies, () => resetRequests.wake()) // POST   /auth/password/forgot
  resetPasswordRoute(app, dependencies) //  POST   /auth/password/reset

  showAccountRoute(app, dependencies) //        GET    /me
  changeAccountRoute(app, dependencies) //      PATCH  /me
  deleteAccountRoute(app, dependencies) //      DELETE /me
  exportPersonalDataRoute(app, dependencies) // GET    /me/export
  addAddressRoute(app, dependencies) //         POST   /me/addresses
  changeAddressRoute(app, dependencies) //      PATCH  /me/addresses/:id
  removeAddressRoute(app, dependencies) //      DELETE /me/addresses/:id
  showWishlistRoute(app, dependencies) //       GET    /me/wishlist
  saveProductRoute(app, dependencies) //        POST   /me/wishlist
  removeProductRoute(app, dependencies) //      DELETE /me/wishlist/:slug

  subscribeRoute(app, dependencies, () => newsletterRequests.wake()) // POST   /newsletter
  confirmSubscriptionRoute(app, dependencies) // POST   /newsletter/confirm
  unsubscribeRoute(app, dependencies) //         POST   /newsletter/unsubscribe

  newsletterConfirmPage(app) //     GET    /newsletter/confirm
  newsletterUnsubscribePage(app) // GET    /newsletter/unsubscribe
  emailVerifyPage(app) //           GET    /auth/email/verify
  passwordResetPage(app) //         GET    /auth/password/reset
  pageScriptRoute(app) //           GET    /auth/pages.js
  pageStyleRoute(app) //            GET    /auth/pages.css

  logInAdminRoute(app, dependencies) //          POST   /admin/auth/login
  logOutAdminRoute(app, dependencies) //         POST   /admin/auth/logout
  showAdminRoute(app, dependencies) //           GET    /admin/auth/me
  changeOwnPasswordRoute(app, dependencies) //   POST   /admin/auth/password
  prepareSecondFactorRoute(app, dependencies) // POST   /admin/auth/totp
  confirmSecondFactorRoute(app, dependencies) // POST   /admin/auth/totp/confirm
  removeSecondFactorRoute(app, dependencies) //  DELETE /admin/auth/totp
  listAuditRoute(app, dependencies) //           GET    /admin/auth/audit
  listActivityRoute(app, dependencies) //        GET    /admin/activity

  listAdminsRoute(app, dependencies) //          GET    /admin/users
  addAdminRoute(app, dependencies) //            POST   /admin/users
  changeAdminRoute(app, dependencies) //         PATCH  /admin/users/:id
  removeAdminRoute(app, dependencies) //         DELETE /admin/users/:id
  listApiKeysRoute(app, dependencies) //         GET    /admin/api-keys
  makeApiKeyRoute(app, dependencies) //          POST   /admin/api-keys
  revokeApiKeyRoute(app, dependencies) //        DELETE /admin/api-keys/:id
  listSigningKeysRoute(app, dependencies) //     GET    /admin/signing-keys
  rotateSigningKeyRoute(app, dependencies) //    POST   /admin/signing-keys/rotate
  listCredentialsRoute(app, dependencies) //     GET    /admin/credentials
  setCredentialsRoute(app, dependencies) //      POST   /admin/credentials

  listCustomersRoute(app, dependencies) //   GET    /admin/customers
  showCustomerRoute(app, dependencies) //    GET    /admin/customers/:id
  listSubscribersRoute(app, dependencies) // GET    /admin/newsletter/subscribers

  listPublicKeysRoute(app, dependencies) // GET    /.well-known/jwks.json

  replyToCheckSession(dependencies) // session.check, requested by the gateway
  replyToFindApiKey(dependencies) //   api-key.find, requested by the gateway
  replyToReadMailLink(dependencies) // mail.link, requested by notifier
  replyToReadActorNames(dependencies) // actor.names, requested for the audits of the other services
  replyToReadAdminAddress(dependencies) // admin.address, requested by notifier
  replyToCheckAddresses(dependencies) // email-address.check, requested by orders
  replyToReadCredentials(dependencies) // credentials.for-orders, credentials.for-notifier

  return {
    timers: [
      startRelay(dependencies),
      purgeExpiredSessions(dependencies),
      readUnreadAddresses(dependencies),
      purgeOldConfirmations(dependencies),
      purgeOldRecipients(dependencies),
      resetRequests,
      newsletterRequests,
      deleteUnconfirmed(dependencies),
      purgeOldApiKeys(dependencies),
      rotateOldSigningKey(dependencies),
      deleteOldAttempts(dependencies),
      deleteOldAudit(dependencies),
      deleteReplacedCredentials(dependencies),
    ],
  }
}
