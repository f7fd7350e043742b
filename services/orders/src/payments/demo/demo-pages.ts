import { DependencyUnavailable } from '@storefront/service'
import { toHttpError, type App } from '@storefront/http'
import { cancelDemoSessionRoute } from './cancel-demo-session.ts'
import type { DemoContext } from './decide-demo-session.ts'
import { declineDemoSessionRoute } from './decline-demo-session.ts'
import { demoFaultPage, sendDemoPage } from './demo-page.ts'
import { payDemoSessionRoute } from './pay-demo-session.ts'
import { showDemoSessionRoute } from './show-demo-session.ts'

/**
 * The pages on which a buyer pays the demo provider. They need no script and no cookie. Only the address of a session
 * grants access to it: another site does not know the address, so it cannot submit these forms, and Origin is not
 * checked.
 */
export function demoPages(app: App, context: DemoContext): void {
  void app.register(async (scope: App) => {
    // The forms have no fields: the action is in the path.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const httpError = toHttpError(error)
      if (httpError.status >= 500) {
        const level = httpError instanceof DependencyUnavailable ? 'warn' : 'error'
        request.log[level]({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a request failed')
      }
      if (httpError.retryAfterSeconds !== undefined) reply.header('retry-after', String(httpError.retryAfterSeconds))
      const title = httpError.status === 404 ? 'We could not find this payment' : 'Something went wrong'
      return sendDemoPage(reply.code(httpError.status), demoFaultPage(title, httpError.message))
    })
    showDemoSessionRoute(scope, context)
    payDemoSessionRoute(scope, context)
    declineDemoSessionRoute(scope, context)
    cancelDemoSessionRoute(scope, context)
  })
}
