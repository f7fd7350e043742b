import { z } from 'zod'
import type { App } from '@storefront/http'
import { MailKind } from '@storefront/mail-templates'
import { mailKindNotFound } from '../errors.ts'
import { currentSettings } from '../settings/current-settings.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { writeSampleMail } from './sample-mail.ts'
import { senderOf } from './sender.ts'

const CONTENT_TYPES = { html: 'text/html', text: 'text/plain', subject: 'text/plain' }

/**
 * A merchant's template is untrusted HTML: as in a mail program, none of it may run, send or load anything but images.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src http: https: data:',
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

export function previewMailRoute(
  app: App,
  { settings, mailFrom, publicUrl }: { settings: SettingsReader; mailFrom: string; publicUrl: string },
): void {
  app.get('/admin/notifications/preview/:event', {
    config: { access: { admin: 'settings:write' }, errors: ['not_found'] },
    schema: {
      summary: 'A mail with sample data and the current templates',
      produces: ['text/html', 'text/plain'],
      description: 'Written with the current templates, about a sample that does not exist. Nothing is sent.',
      params: z.object({ event: z.string().max(100).describe('Kind of mail, such as `orderPlaced`.') }),
      querystring: z.object({
        part: z
          .enum(['html', 'text', 'subject'])
          .default('html')
          .describe('`html` if omitted; `text` and `subject` are returned as plain text.'),
      }),
      response: { 200: z.string().meta({ description: 'text/html, or text/plain for text and subject' }) },
    },
    handler: async ({ params, query: { part } }, reply) => {
      const kind = MailKind.safeParse(params.event)
      if (!kind.success) throw mailKindNotFound()
      const shop = await currentSettings(settings)
      const senderName = senderOf(shop, mailFrom).from.name
      const mail = writeSampleMail(kind.data, shop, { senderName, publicUrl })
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-type': `${CONTENT_TYPES[part]}; charset=utf-8`,
          'content-security-policy': CONTENT_POLICY,
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        })
        .send(mail[part])
    },
  })
}
