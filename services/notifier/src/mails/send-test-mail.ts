import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { EMAIL_PATTERN, newId } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import type { NotifierContext } from '../context.ts'
import { invalidRecipient, missingRecipient, noMailServer, notificationsDisabled, sendFailed } from '../errors.ts'
import { currentSettings } from '../settings/current-settings.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { composeMessage } from './compose-message.ts'
import { logTestMail } from './log-test-mail.ts'
import type { MailTransport } from './mail-transport.ts'
import { writeSampleMail } from './sample-mail.ts'
import { senderOf, showMailbox } from './sender.ts'
import { whySwitchedOff } from './switched-off.ts'

/** How mails go out, and by whose word. */
export interface Mailing {
  transport: MailTransport
  settings: SettingsReader
  /** Who mails come from while the merchant names nobody. */
  mailFrom: string
}

/** The gateway waits 10 s for an answer. */
const DEADLINE_MS = 8000

const Preview = z.object({
  event: MailKind,
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
})

const TestMailAnswer = z
  .object({ delivered: z.boolean(), messageId: z.string().optional(), preview: Preview })
  .meta({ id: 'TestNotification' })

/** A merchant sees a mail arrive, or hears why it does not. */
export function sendTestMailRoute(app: App, context: NotifierContext & Mailing): void {
  app.post('/admin/notifications/test', {
    config: {
      access: { admin: 'settings:write' },
      errors: ['invalid_email', 'missing_to', 'notifications_disabled', 'send_failed'],
    },
    schema: {
      tags: ['Admin: notifications'],
      summary: 'Send one test mail, now, with the settings in force',
      description:
        'The mail is a sample about nothing real, of the kind `event` (`orderPlaced` if left out). `delivered` is true ' +
        'once the mail server has taken it. Mails that are switched off, or that have no mail server to go to, are 409 ' +
        '`notifications_disabled`; what the mail server says, or why it could not be asked, stands ' +
        'in `detail.answer` of 502 `send_failed`. At most 30 a minute.',
      body: z.object({ event: MailKind.default('orderPlaced'), to: z.string().trim().max(320).optional() }).nullish(),
      response: { 200: TestMailAnswer },
    },
    handler: async ({ body }) => sendTestMail(context, { kind: body?.event ?? 'orderPlaced', to: body?.to ?? '' }),
  })
}

async function sendTestMail(
  context: NotifierContext & Mailing,
  { kind, to }: { kind: MailKind; to: string },
): Promise<z.output<typeof TestMailAnswer>> {
  const { settings, mailFrom, transport, clock } = context
  const shop = await currentSettings(settings)
  const switchedOff = whySwitchedOff(kind, shop.notifications)
  if (switchedOff !== undefined) throw notificationsDisabled(switchedOff)
  if (!transport.hasServer(shop.notifications)) throw noMailServer()
  if (to === '') throw missingRecipient()
  if (!EMAIL_PATTERN.test(to)) throw invalidRecipient()

  const from = senderOf(shop.notifications, mailFrom)
  const text = writeSampleMail(kind, shop, from.from.name)
  const id = newId('mail')
  const at = clock.now()
  const mail = { id, event_id: id, event_at: at, kind, recipient: to, reference: 'test' }
  const message = await composeMessage(mail, text, from)
  const result = await logTestMail(context, { mail, message, keptMs: 2 * DEADLINE_MS }, (handOver) =>
    transport.sendNow(message, shop.notifications, { deadlineMs: DEADLINE_MS, handOver }),
  )
  if (result.kind !== 'sent') throw sendFailed(result.answer)

  const preview = { event: kind, to, from: showMailbox(from.from), subject: text.subject, text: text.text }
  return { delivered: true, messageId: message.messageId, preview }
}
