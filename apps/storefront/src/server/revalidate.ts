import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { LISTS, productKey } from '../shop/catalog.ts'
import type { App, Storefront } from './storefront.ts'

const WebhookBody = z.looseObject({ type: z.string(), slug: z.string().optional() })

/** Many products changed at once. */
const ANY = '*'
/** A cache of the shop may still send an old response when the webhook arrives: pages are rendered again after this. */
const AGAIN_MS = 1000

/** Receives the shop's webhooks, and has the pages rendered again that show what changed. */
export function revalidateRoute(app: App, storefront: Storefront): void {
  const { STOREFRONT_WEBHOOK_SECRET: secret } = storefront.config
  const webhook = secret === undefined ? undefined : new Webhook(secret)
  const timers = new Set<NodeJS.Timeout>()
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })

  app.register(async (scope) => {
    // The signature is that of the bytes, before they are parsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/api/revalidate', async (request, reply) => {
      if (!webhook)
        return reply.code(503).send({ message: 'STOREFRONT_WEBHOOK_SECRET is not set.', code: 'not_configured' })
      const body = verified(webhook, request.body, request.headers)
      if (!body) return reply.code(401).send({ message: 'The signature is not valid.', code: 'bad_signature' })
      purge(storefront, body)
      const timer = setTimeout(() => {
        timers.delete(timer)
        purge(storefront, body)
      }, AGAIN_MS)
      timers.add(timer)
      return reply.code(204).send()
    })
  })
}

function verified(webhook: Webhook, body: unknown, headers: Record<string, string | string[] | undefined>) {
  if (!Buffer.isBuffer(body)) return undefined
  const named = (name: string) => [name, String(headers[name] ?? '')]
  try {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    return WebhookBody.parse(webhook.verify(body.toString(), Object.fromEntries(names.map(named))))
  } catch {
    return undefined
  }
}

function purge({ cache, frames }: Storefront, { type, slug }: z.output<typeof WebhookBody>): void {
  const [subject] = type.split('.')
  if (subject === 'product' && slug !== undefined && slug !== ANY) return cache.purge([productKey(slug), LISTS])
  if (subject === 'inventory' && slug !== undefined) return cache.purge([productKey(slug)])
  if (subject === 'product' || subject === 'category' || subject === 'settings') {
    frames.purge()
    cache.purge()
  }
}
