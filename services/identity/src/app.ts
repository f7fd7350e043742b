import { keepResponsesPrivate, type App } from '@storefront/http'
import { startRelay } from '@storefront/messaging'
import { startRetention } from '@storefront/postgres'
import type { Registered, Timer } from '@storefront/service'
import type { IdentityContext } from './context.ts'
import { replyToReadActorNames } from './actors/read-actor-names.ts'
import { listActivityRoute } from './activity/list-activity.ts'
import { changeAccountRoute } from './accounts/change-account.ts'
import { deleteAccountRoute } from './accounts/delete-account.ts'
import { logInRoute } from './accounts/log-in.ts'
import { logOutRoute } from './accounts/log-out.ts'
import { registerRoute } from './accounts/register.ts'
import { getAccountRoute } from './accounts/get-account.ts'
import { addAddressRoute } from './addresses/add-address.ts'
import { changeAddressRoute } from './addresses/change-address.ts'
import { removeAddressRoute } from './addresses/remove-address.ts'
import { createAdminRoute } from './admins/create-admin.ts'
import { changeAdminRoute } from './admins/change-admin.ts'
import { changeOwnPasswordRoute } from './admins/change-own-password.ts'
import { listAdminsRoute } from './admins/list-admins.ts'
import { logInAdminRoute } from './admins/log-in-admin.ts'
import { logOutAdminRoute } from './admins/log-out-admin.ts'
import { replyToReadAdminAddress } from './admins/read-admin-address.ts'
import { deleteAdminRoute } from './admins/delete-admin.ts'
import { getAdminRoute } from './admins/get-admin.ts'
import { replyToFindApiKey } from './api-keys/find-api-key.ts'
import { listApiKeysRoute } from './api-keys/list-api-keys.ts'
import { createApiKeyRoute } from './api-keys/create-api-key.ts'
import { revokeApiKeyRoute } from './api-keys/revoke-api-key.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import { replyToReadMailLink } from './confirmations/read-mail-link.ts'
import { closeConsoleSessionRoute } from './console/close-console-session.ts'
import { openConsoleSessionRoute } from './console/open-console-session.ts'
import { renewConsoleSessionRoute } from './console/renew-console-session.ts'
import { setCredentialsRoute } from './credentials/set-credentials.ts'
import { listCredentialsRoute } from './credentials/list-credentials.ts'
import { replyToReadCredentials } from './credentials/read-credentials.ts'
import { deleteCustomerRoute } from './customers/delete-customer.ts'
import { exportCustomerRoute } from './customers/export-customer.ts'
import { listCustomersRoute } from './customers/list-customers.ts'
import { getCustomerRoute } from './customers/get-customer.ts'
import { canonicalizeAddresses } from './email/canonicalize-addresses.ts'
import { changeEmailRoute } from './email/change-email.ts'
import { replyToCheckAddresses } from './email/check-addresses.ts'
import { verifyEmailRoute } from './email/verify-email.ts'
import { confirmSubscriptionRoute } from './newsletter/confirm-subscription.ts'
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
import { resetPasswordRoute } from './passwords/reset-password.ts'
import { processResetRequests } from './passwords/process-reset-requests.ts'
import { exportPersonalDataRoute } from './personal-data/export-personal-data.ts'
import { confirmSecondFactorRoute } from './second-factor/confirm-second-factor.ts'
import { prepareSecondFactorRoute } from './second-factor/prepare-second-factor.ts'
import { removeSecondFactorRoute } from './second-factor/remove-second-factor.ts'
import { RETENTION } from './retention.ts'
import { replyToCheckSession } from './sessions/check-session.ts'
import { listPublicKeysRoute } from './tokens/list-public-keys.ts'
import { countSignIns } from './sessions/count-sign-ins.ts'
import { listSigningKeysRoute } from './tokens/list-signing-keys.ts'
import { rotateOldSigningKey } from './tokens/rotate-old-signing-key.ts'
import { rotateSigningKeyRoute } from './tokens/rotate-signing-key-now.ts'
import { deleteViewRoute } from './views/delete-view.ts'
import { listViewsRoute } from './views/list-views.ts'
import { saveViewRoute } from './views/save-view.ts'
import { removeProductRoute } from './wishlist/remove-product.ts'
import { saveProductRoute } from './wishlist/save-product.ts'
import { getWishlistRoute } from './wishlist/get-wishlist.ts'

/** Every route, request handler and timer of this service. */
export function registerIdentity(app: App, context: IdentityContext): Registered {
  // Responses about one person are private; the public keys set their own headers.
  keepResponsesPrivate(app)
  countSignIns(app)

  const resetRequests = processResetRequests(context)
  const newsletterRequests = processNewsletterRequests(context)
  registerCustomers(app, context, { resetRequests, newsletterRequests })
  registerPages(app)
  registerAdmins(app, context)
  listPublicKeysRoute(app, context) // GET    /.well-known/jwks.json

  replyToCheckSession(context) // session.check, requested by the gateway
  replyToFindApiKey(context) //   api-key.find, requested by the gateway
  replyToReadMailLink(context) // mail.link, requested by notifier
  replyToReadActorNames(context) // actor.names, requested for the audits of the other services
  replyToReadAdminAddress(context) // admin.address, requested by notifier
  replyToCheckAddresses(context) // email-address.check, requested by orders
  replyToReadCredentials(context) // credentials.for-orders, credentials.for-notifier

  return {
    consumers: [],
    timers: [
      startRelay(context),
      canonicalizeAddresses(context),
      resetRequests,
      newsletterRequests,
      ...startRetention(RETENTION, context),
      rotateOldSigningKey(context),
      context.revocations,
    ],
  }
}

function registerCustomers(
  app: App,
  context: IdentityContext,
  { resetRequests, newsletterRequests }: { resetRequests: Timer; newsletterRequests: Timer },
): void {
  registerRoute(app, context) //                                   POST   /auth/register
  logInRoute(app, context) //                                      POST   /auth/login
  logOutRoute(app, context) //                                     POST   /auth/logout
  verifyEmailRoute(app, context) //                                POST   /auth/email/verify
  changeEmailRoute(app, context) //                                POST   /auth/email/change
  changePasswordRoute(app, context) //                             POST   /auth/password/change
  forgotPasswordRoute(app, context, () => resetRequests.wake()) // POST   /auth/password/forgot
  resetPasswordRoute(app, context) //                              POST   /auth/password/reset

  getAccountRoute(app, context) //         GET    /me
  changeAccountRoute(app, context) //      PATCH  /me
  deleteAccountRoute(app, context) //      DELETE /me
  exportPersonalDataRoute(app, context) // GET    /me/export
  addAddressRoute(app, context) //         POST   /me/addresses
  changeAddressRoute(app, context) //      PATCH  /me/addresses/:id
  removeAddressRoute(app, context) //      DELETE /me/addresses/:id
  getWishlistRoute(app, context) //        GET    /me/wishlist
  saveProductRoute(app, context) //        POST   /me/wishlist
  removeProductRoute(app, context) //      DELETE /me/wishlist/:slug

  subscribeRoute(app, context, () => newsletterRequests.wake()) // POST   /newsletter
  confirmSubscriptionRoute(app, context) //                        POST   /newsletter/confirm
  unsubscribeRoute(app, context) //                                POST   /newsletter/unsubscribe
}

/** The pages that links in mails open. */
function registerPages(app: App): void {
  newsletterConfirmPage(app) //     GET    /newsletter/confirm
  newsletterUnsubscribePage(app) // GET    /newsletter/unsubscribe
  emailVerifyPage(app) //           GET    /auth/email/verify
  passwordResetPage(app) //         GET    /auth/password/reset
  pageScriptRoute(app) //           GET    /auth/pages.js
  pageStyleRoute(app) //            GET    /auth/pages.css
}

function registerAdmins(app: App, context: IdentityContext): void {
  logInAdminRoute(app, context) //          POST   /admin/auth/login
  logOutAdminRoute(app, context) //         POST   /admin/auth/logout
  openConsoleSessionRoute(app, context) //  POST   /admin/console/session
  renewConsoleSessionRoute(app, context) // POST   /admin/console/session/renew
  closeConsoleSessionRoute(app, context) // DELETE /admin/console/session
  getAdminRoute(app, context) //            GET    /admin/auth/me
  changeOwnPasswordRoute(app, context) //   POST   /admin/auth/password
  prepareSecondFactorRoute(app, context) // POST   /admin/auth/totp
  confirmSecondFactorRoute(app, context) // POST   /admin/auth/totp/confirm
  removeSecondFactorRoute(app, context) //  DELETE /admin/auth/totp
  listAuditRoute(app, context) //           GET    /admin/auth/audit
  listActivityRoute(app, context) //        GET    /admin/activity

  listViewsRoute(app, context) //  GET    /admin/views
  saveViewRoute(app, context) //   POST   /admin/views
  deleteViewRoute(app, context) // DELETE /admin/views/:id

  listAdminsRoute(app, context) //       GET    /admin/users
  createAdminRoute(app, context) //      POST   /admin/users
  changeAdminRoute(app, context) //      PATCH  /admin/users/:id
  deleteAdminRoute(app, context) //      DELETE /admin/users/:id
  listApiKeysRoute(app, context) //      GET    /admin/api-keys
  createApiKeyRoute(app, context) //     POST   /admin/api-keys
  revokeApiKeyRoute(app, context) //     DELETE /admin/api-keys/:id
  listSigningKeysRoute(app, context) //  GET    /admin/signing-keys
  rotateSigningKeyRoute(app, context) // POST   /admin/signing-keys/rotate
  listCredentialsRoute(app, context) //  GET    /admin/credentials
  setCredentialsRoute(app, context) //   POST   /admin/credentials

  listCustomersRoute(app, context) //   GET    /admin/customers
  getCustomerRoute(app, context) //     GET    /admin/customers/:id
  deleteCustomerRoute(app, context) //  DELETE /admin/customers/:id
  exportCustomerRoute(app, context) //  GET    /admin/customers/:id/export
  listSubscribersRoute(app, context) // GET    /admin/newsletter/subscribers
}
