import { DependencyUnavailable } from '@storefront/service'
import { toHttpError, type App } from '@storefront/http'
import type { OrdersContext } from '../context.ts'
import { sendPage } from './html.ts'
import { payDraftRoute } from './pay-draft.ts'
import { messagePage } from './payment-page.ts'
import { returnFromRazorpayRoute } from './return-from-razorpay.ts'
import { showPaymentPageRoute } from './show-payment-page.ts'

const MAX_FORM_BYTES = 8192

/**
 * The pages of payment links. They need no script and no cookie. Only the address grants access: another site does not
 * know it, so it cannot submit the form, and Origin is not checked.
 */
export function paymentPages(app: App, context: OrdersContext): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    scope.setErrorHandler((error, request, reply) => {
      const httpError = toHttpError(error)
      if (httpError.status >= 500) {
        const level = httpError instanceof DependencyUnavailable ? 'warn' : 'error'
        request.log[level]({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a request failed')
      }
      if (httpError.retryAfterSeconds !== undefined) reply.header('retry-after', String(httpError.retryAfterSeconds))
      const title = httpError.status === 404 ? 'We could not find this page' : 'Something went wrong'
      return sendPage(reply.code(httpError.status), messagePage(title, httpError.message))
    })
    showPaymentPageRoute(scope, context) //   GET    /pay/:token
    payDraftRoute(scope, context) //          POST   /pay/:token
    returnFromRazorpayRoute(scope, context) // POST   /pay/returned
  })
}
