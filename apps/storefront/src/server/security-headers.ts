import { createHash } from 'node:crypto'
import type { App, Request, Storefront } from './storefront.ts'

/** Adds the headers that protect shoppers, and rejects forms that another site sends. */
export function addSecurity(app: App, { assets, config }: Storefront): void {
  const policy = contentPolicy(assets.style)
  const origin = new URL(config.STOREFRONT_URL).origin
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'cross-origin-opener-policy': 'same-origin',
    })
    if (isForeignForm(request, origin)) throw new ForeignForm()
  })
}

/** @param payment origins of the form of a payment provider, on the page that opens it */
export function contentPolicy(style: string, payment?: { script: string; frames: readonly string[] }): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    payment ? `script-src 'self' ${payment.script}` : "script-src 'self'",
    ...(payment ? [`frame-src ${payment.frames.join(' ')}`] : []),
    `style-src 'sha256-${hash}'`,
    // The focal points of pictures.
    "style-src-attr 'unsafe-inline'",
    // Pictures of products may be anywhere.
    'img-src * data:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // A checkout without script is redirected to the page of a payment provider.
    "form-action 'self' https: http://localhost:*",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

class ForeignForm extends Error {
  readonly statusCode = 403

  constructor() {
    super('a form was sent by another site')
  }
}

/** Browsers name the origin of each form that is posted. Programs, such as the shop that sends webhooks, do not. */
function isForeignForm({ method, headers }: Request, origin: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  if (headers.origin !== undefined) return headers.origin !== origin && headers.origin !== `http://${headers.host}`
  return headers['sec-fetch-site'] !== undefined && headers['sec-fetch-site'] !== 'same-origin'
}
