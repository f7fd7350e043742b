import { counter } from '@storefront/service'
import type { App } from '@storefront/http'

const SIGN_IN_ROUTES = new Map([
  ['/auth/login', 'customer'],
  ['/admin/auth/login', 'admin'],
  ['/admin/console/session', 'admin'],
])

const signIns = counter('storefront_sign_ins_total', 'Attempts to sign in, of customers and of admins', [
  'kind',
  'outcome',
])

/** Counts attempts to sign in by their result. */
export function countSignIns(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const kind = SIGN_IN_ROUTES.get(request.routeOptions.url ?? '')
    if (kind !== undefined && request.method === 'POST') signIns.inc({ kind, outcome: outcomeOf(reply.statusCode) })
    done()
  })
}

function outcomeOf(status: number): string {
  if (status < 300) return 'succeeded'
  if (status === 429) return 'limited'
  return status < 500 ? 'rejected' : 'failed'
}
