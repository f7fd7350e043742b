import { describe, expect, test } from 'vitest'
import { findRoute } from './match-route.ts'
import { ROUTES } from './routes.ts'

describe('a path leads to the service that owns it', () => {
  test.each([
    ['/carts', 'cart'],
    ['/carts/cart_1', 'cart'],
    ['/carts/cart_1/lines/line_1', 'cart'],
    ['/carts/cart_1/checkout', 'orders'],
    ['/carts/a%2Fb/checkout', 'orders'],
    ['/carts/checkout', 'cart'],
    ['/carts/cart_1/discount', 'cart'],
    ['/carts/cart_1/discount/more', 'cart'],
    ['/carts/cart_1/checkout/more', 'cart'],
    ['/checkout/sessions', 'orders'],
    ['/orders', 'orders'],
    ['/orders/lookup', 'orders'],
    ['/checkout/sessions/pay_1', 'orders'],
    ['/payments/verify', 'orders'],
    ['/webhooks/stripe', 'orders'],
    ['/admin/orders/order_1/refunds', 'orders'],
    ['/admin/buyers/buyer_1/notes', 'orders'],
    ['/admin/reconciliation', 'orders'],
    ['/admin/summary', 'orders'],
    ['/admin/attention', 'orders'],
    ['/admin/attention/more', 'catalog'],
    ['/auth/login', 'identity'],
    ['/auth/password/reset', 'identity'],
    ['/auth/email/verify', 'identity'],
    ['/me', 'identity'],
    ['/me/wishlist/linen-shirt', 'identity'],
    ['/newsletter', 'identity'],
    ['/newsletter/confirm', 'identity'],
    ['/alerts', 'catalog'],
    ['/alerts/confirm', 'catalog'],
    ['/auth/pages.js', 'identity'],
    ['/.well-known/jwks.json', 'identity'],
    ['/admin/auth/login', 'identity'],
    ['/admin/users', 'identity'],
    ['/admin/api-keys/key_1', 'identity'],
    ['/admin/signing-keys/rotate', 'identity'],
    ['/admin/credentials', 'identity'],
    ['/admin/customers/cus_1', 'identity'],
    ['/admin/newsletter/subscribers', 'identity'],
    ['/admin/discounts/SAVE10', 'cart'],
    ['/admin/webhooks/deliveries', 'notifier'],
    ['/admin/notifications/test', 'notifier'],
    ['/admin/products/prod_1', 'catalog'],
    ['/admin/products/bulk', 'catalog'],
    ['/admin/products/bulk/bulk_1/undo', 'catalog'],
    ['/admin/import', 'catalog'],
    ['/products', 'catalog'],
    ['/products/linen-shirt/related', 'catalog'],
    ['/categories', 'catalog'],
    ['/bootstrap', 'catalog'],
    ['/media/a/b.svg', 'catalog'],
    ['/docs/start.js', 'gateway'],
  ])('%s → %s', (path, service) => {
    expect(findRoute(path)?.to).toBe(service)
  })

  test('and the gateway itself, which has no audit, owns only one path under /admin, for reads', () => {
    const own = ROUTES.filter(({ to }) => to === 'gateway').map(({ path }) => path)
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((path) => path.startsWith('/admin') || /^\/(:|\*)/.test(path))).toEqual([
      '/admin/console/updates',
    ])
    expect(findRoute('/admin')?.to).not.toBe('gateway')
    expect(findRoute('/admin/anything/else')?.to).not.toBe('gateway')
  })

  test.each(['/admin/webhooks/whe_1/test', '/admin/webhooks/deliveries/replay', '/admin/notifications/test'])(
    '%s has the timeout that it needs',
    (path) => {
      expect(findRoute(path)).toMatchObject({ to: 'notifier', slow: true })
    },
  )

  test.each([
    '/internal/openapi.json',
    '/products2',
    '/%70roducts',
    '/Products',
    '/healthz/more',
    '/webhooks',
    '/webhooks/stripe/more',
    '/checkout',
    '/storefront/internal',
    '/products%2Finternal',
  ])('%s is not found', (path) => {
    expect(findRoute(path)).toBeUndefined()
  })

  test('no route is hidden by an earlier one', () => {
    for (const route of ROUTES) {
      const sample = route.path.replace('/**', '/below').replaceAll(/:[a-z]+/g, 'x')
      expect(findRoute(sample)?.path).toBe(route.path)
    }
  })

  test.each([
    ['/auth/login', 'auth'],
    ['/auth/register', 'auth'],
    ['/admin/auth/login', 'auth'],
    ['/auth/password/forgot', 'reset'],
    ['/auth/email/verify', 'reset'],
    ['/orders/lookup', 'lookup'],
    ['/newsletter', 'newsletter'],
    ['/newsletter/unsubscribe', 'newsletter'],
    ['/alerts', 'newsletter'],
    ['/alerts/confirm', undefined],
    ['/alerts/unsubscribe', undefined],
    ['/carts/cart_1/discount', 'discount'],
    ['/carts/a%2Fb/discount', 'discount'],
    ['/carts/cart_1/checkout', 'checkout'],
    ['/checkout/sessions', 'checkout'],
    ['/carts/cart_1', undefined],
    ['/carts/discount', undefined],
    ['/auth/logout', undefined],
  ])('%s counts against the limit %s', (path, limit) => {
    expect(findRoute(path)?.limit).toBe(limit)
  })

  test('no sign-in with a code that is accepted only once is repeated', () => {
    const signIns = ['/auth/login', '/admin/auth/login', '/admin/console/session']
    expect(signIns.map((path) => findRoute(path)?.idempotent)).toEqual(['by nature', undefined, undefined])
  })

  test('private data is never cacheable', () => {
    const cacheable = ROUTES.filter((route) => route.cacheable)
    expect(cacheable.length).toBeGreaterThan(0)
    expect(cacheable.every((route) => route.to === 'catalog' && !route.path.startsWith('/admin'))).toBe(true)
  })
})
