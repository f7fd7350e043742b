/** Operations for merchants that no screen of the console sends. */
const ON_NO_SCREEN = [
  'GET /admin/auth/audit',
  'GET /admin/newsletter/subscribers',
  'GET /admin/webhooks/audit',
  'POST /admin/orders',
  'POST /admin/products/:id/variants',
  'PATCH /admin/products/:id/variants/:variantId',
  'DELETE /admin/products/:id/variants/:variantId',
]

/**
 * Those that `pressEverything` does not reach, such as what needs several right steps; each has a test of its own
 * screen.
 */
const BEYOND_THE_PROBE = [
  'DELETE /admin/api-keys/:id',
  'GET /admin/audit',
  'POST /admin/auth/totp/confirm',
  'DELETE /admin/auth/totp',
  'PATCH /admin/buyers/:id',
  'POST /admin/console/session/renew',
  'POST /admin/draft-orders',
  'DELETE /admin/draft-orders/:id',
  'POST /admin/draft-orders/:id/send',
  'POST /admin/import',
  'DELETE /admin/import/:id',
  'POST /admin/notifications/:id/resend',
  'POST /admin/products/bulk',
  'POST /admin/products/bulk/preview',
  'DELETE /admin/products/bulk/:id',
  'DELETE /admin/storefront/:path',
  'DELETE /admin/views/:id',
  'GET /admin/webhooks/:id',
  'DELETE /admin/webhooks/:id',
  'POST /admin/webhooks/:id/enable',
  'POST /admin/webhooks/:id/rotate',
  'GET /admin/webhooks/deliveries/:id',
  'POST /admin/webhooks/deliveries/:id/replay',
]

export const UNPRESSED: ReadonlySet<string> = new Set([...ON_NO_SCREEN, ...BEYOND_THE_PROBE])
