import { z } from 'zod'
import { ask, type App } from '@storefront/chassis'
import { newId, readEmailAddress, ReadAdminAddress, type Actor } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import type { NotifierContext } from '../context.ts'
import { invalidRecipient, missingRecipient, noMailServer, notificationsDisabled, sendFailed } from '../errors.ts'
import { currentSettings } from '../settings/current-settings.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { composeMessage } from './compose-message.ts'
import { logTestMail } from './log-test-mail.ts'
import type { MailTransport } from './mail-transport.ts'
import type { Limiting } from './queue-mails.ts'
import { writeSampleMail } from './sample-mail.ts'
import { senderOf, showMailbox } from './sender.ts'
import { whySwitchedOff } from './switched-off.ts'

/** How mails go out, and by whose word. */
export interface Mailing extends Pick<Limiting, 'mailLimits'> {
  transport: MailTransport
  settings: SettingsReader
  /** Who mails come from while the merchant names nobody. */
  mailFrom: string
  /** Address of the shop on the web, with the base path. */
  publicUrl: string
}

/** The gateway waits 10 s for an answer. */
const DEADLINE_MS = 8000

const Preview = z.object({
  event: MailKind.describe('Kind of the mail.'),
  to: z.string().describe('Address that it went to.'),
  from: z.string().describe('Sender as a mail program shows it, with the name of the shop.'),
  subject: z.string().describe('Subject line, from the template in force.'),
  text: z.string().describe('The part for mail programs without HTML.'),
})

const TestMailAnswer = z
  .object({
    delivered: z.boolean().describe('true: the mail server has taken it. Any other outcome is an error.'),
    messageId: z.string().optional().describe('Its header `Message-ID`, to find it in the log of the mail server.'),
    preview: Preview.describe('What was sent.'),
  })
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
        'The mail is a sample about nothing real, of the kind `event` (`orderPlaced` if left out). Without `to` it goes to the ' +
        'admin who is signed in; a secret key has no address, and is 422 `missing_to` then. `delivered` is true ' +
        'once the mail server has taken it. Mails that are switched off, or that have no mail server to go to, are 409 ' +
        '`notifications_disabled`; what the mail server says, or why it could not be asked, stands ' +
        'in `detail.answer` of 502 `send_failed`. At most 30 a minute, and 100 an hour to one mailbox.',
      body: z
        .object({
          event: MailKind.default('orderPlaced').describe('Kind of the mail; `orderPlaced` if left out.'),
          to: z.string().trim().max(320).optional().describe('Where it goes; to the signed-in admin if left out.'),
        })
        .nullish(),
      response: { 200: TestMailAnswer },
    },
    handler: async ({ body, actor }) =>
      sendTestMail(context, { kind: body?.event ?? 'orderPlaced', to: body?.to ?? '', actor }),
  })
}

async function sendTestMail(
  context: NotifierContext & Mailing,
  { kind, to: given, actor }: { kind: MailKind; to: string; actor: Actor },
): Promise<z.output<typeof TestMailAnswer>> {
  const { settings, mailFrom, publicUrl, transport, clock } = context
  const shop = await currentSettings(settings)
  const switchedOff = whySwitchedOff(kind, shop.notifications)
  if (switchedOff !== undefined) throw notificationsDisabled(switchedOff)
  if (!transport.hasServer(shop.notifications)) throw noMailServer()
  const to = readEmailAddress(given || (await addressOf(actor, context)))?.canonical
  if (to === undefined) throw invalidRecipient()

  const from = senderOf(shop, mailFrom)
  const text = writeSampleMail(kind, shop, { senderName: from.from.name, publicUrl })
  const id = newId('mail')
  const at = clock.now()
  const mail = { id, event_id: id, event_at: at, kind, recipient: to, reference: 'test' }
  const message = await composeMessage(mail, text, from)
  const result = await logTestMail(context, { mail, message, actor, keptMs: 2 * DEADLINE_MS }, (handOver) =>
    transport.sendNow(message, shop.notifications, { deadlineMs: DEADLINE_MS, handOver }),
  )
  if (result.kind !== 'sent') throw sendFailed(result.answer)

  const preview = { event: kind, to, from: showMailbox(from.from), subject: text.subject, text: text.text }
  return { delivered: true, messageId: message.messageId, preview }
}

/** @throws Refusal `missing_to` for a secret key, and for an admin who is no longer there */
async function addressOf(actor: Actor, { messaging }: NotifierContext): Promise<string> {
  if (actor.kind !== 'admin' || actor.sessionId === undefined) throw missingRecipient()
  const { email } = await ask(messaging, ReadAdminAddress, { userId: actor.userId })
  if (email === undefined) throw missingRecipient()
  return email
}
