import type { App } from '@storefront/http'
import { addPages } from '../../pages/add-pages.ts'
import { cancelDemoSessionRoute } from './cancel-demo-session.ts'
import type { DemoContext } from './decide-demo-session.ts'
import { declineDemoSessionRoute } from './decline-demo-session.ts'
import { demoFaultPage, sendDemoPage } from './demo-page.ts'
import { payDemoSessionRoute } from './pay-demo-session.ts'
import { showDemoSessionRoute } from './show-demo-session.ts'

/** The pages on which a buyer pays the demo provider. */
export function demoPages(app: App, context: DemoContext): void {
  addPages(app, {
    maxFormBytes: 1024,
    // The forms have no fields: the action is in the path.
    readForm: () => undefined,
    notFound: 'We could not find this payment',
    sendFault: (reply, title, sentence) => sendDemoPage(reply, demoFaultPage(title, sentence)),
    addRoutes(scope) {
      showDemoSessionRoute(scope, context)
      payDemoSessionRoute(scope, context)
      declineDemoSessionRoute(scope, context)
      cancelDemoSessionRoute(scope, context)
    },
  })
}
