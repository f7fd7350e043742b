import { createHash } from 'node:crypto'
import type { Assets } from '../layout/page-context.ts'
import type { App, Request, Storefront } from './storefront.ts'

/** Adds the headers that protect shoppers, and rejects forms that another site sends. */
export function addSecurity(app: App, { assets, config }: Storefront): void {
  const policy = contentPolicy(assets)
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

interface Allowed {
  /** The styles and the scripts in a page; those of all pages by default. */
  styles?: readonly string[]
  scripts?: readonly string[]
  /** Origins of the form of a payment provider, on the page that opens it. */
  payment?: { script: string; frames: readonly string[] }
}

export function contentPolicy(
  assets: Assets,
  { styles = Object.values(assets.styles), scripts = Object.values(assets.inline), payment }: Allowed = {},
): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.map(hashOf).join(' ')}${payment ? ` ${payment.script}` : ''}`,
    ...(payment ? [`frame-src ${payment.frames.join(' ')}`] : []),
    `style-src ${styles.map(hashOf).join(' ')}`,
    // The focal points of pictures.
    "style-src-attr 'unsafe-inline'",
    // Pictures of products may be anywhere.
    'img-src * data:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // A checkout without script is redirected to the page of a payment provider.
    "form-action 'self' https: http://localhost:*",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
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
