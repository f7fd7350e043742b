import type { App } from '@storefront/http'
import type { OrdersContext } from '../context.ts'
import { addPages } from '../pages/add-pages.ts'
import { payDraftRoute } from './pay-draft.ts'
import { sendPage } from './send-page.ts'
import { messagePage } from './payment-page.ts'
import { returnFromRazorpayRoute } from './return-from-razorpay.ts'
import { showPaymentPageRoute } from './show-payment-page.ts'

export function paymentPages(app: App, context: OrdersContext): void {
  addPages(app, {
    maxFormBytes: 8192,
    readForm: (body) => Object.fromEntries(new URLSearchParams(body)),
    notFound: 'We could not find this page',
    sendFault: (reply, title, sentence) => sendPage(reply, messagePage(title, sentence)),
    addRoutes(scope) {
      showPaymentPageRoute(scope, context) //    GET    /pay/:token
      payDraftRoute(scope, context) //           POST   /pay/:token
      returnFromRazorpayRoute(scope, context) // POST   /pay/returned
    },
  })
}
