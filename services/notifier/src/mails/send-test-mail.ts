import { z } from 'zod'
import { sendRequest } from '@storefront/messaging'
import type { App } from '@storefront/http'
import { newId, readEmailAddress, ReadAdminAddress, type Actor } from '@storefront/contracts'
import { MailKind } from '@storefront/mail-templates'
import type { NotifierContext } from '../context.ts'
import { invalidEmail, missingRecipient, noMailServer, notificationsDisabled, sendFailed } from '../errors.ts'
import { currentSettings } from '../settings/current-settings.ts'
import { composeMessage } from './compose-message.ts'
import { writeSampleMail } from './sample-mail.ts'
import { sendAndLogTestMail } from './send-and-log-test-mail.ts'
import { senderOf, showMailbox } from './sender.ts'
import { whyDisabled } from './why-disabled.ts'

/** A merchant waits for the result: a mail that the server has not accepted by then counts as failed. */
const DEADLINE_MS = 8000

const Preview = z.object({
  event: MailKind.describe('Kind of the mail.'),
  to: z.string().describe('The recipient.'),
  from: z.string().describe('Sender as a mail program shows it, with the name of the shop.'),
  subject: z.string().describe('Subject line, from the current template.'),
  text: z.string().describe('The part for mail programs without HTML.'),
})

const TestMailResponse = z
  .object({
    delivered: z.boolean().describe('true: the mail server has accepted it. Any other result is an error.'),
    messageId: z.string().optional().describe('Its header `Message-ID`, for finding it in the log of the mail server.'),
    preview: Preview.describe('The text that was sent.'),
  })
  .meta({ id: 'TestNotification' })

/** Lets a merchant test the mail settings, with the error if they fail. */
export function sendTestMailRoute(app: App, context: NotifierContext): void {
  app.post('/admin/notifications/test', {
    config: {
      access: { admin: 'settings:write' },
      errors: ['invalid_email', 'missing_to', 'notifications_disabled', 'send_failed'],
    },
    schema: {
      summary: 'Send one test mail now with the current settings',
      description:
        'The mail is a sample of the kind `event` (`orderPlaced` if omitted). Without `to` it goes to the ' +
        'signed-in admin; a secret key has no address, and the error is 422 `missing_to`. `delivered` is true ' +
        'once the mail server has accepted the mail. Mails that are switched off, or without a mail server, are 409 ' +
        "`notifications_disabled`; the mail server's response, or why it could not be reached, is " +
        'in `detail.answer` of 502 `send_failed`. At most 30 a minute; to one mailbox 100 an hour and 300 a day.',
      body: z
        .object({
          event: MailKind.default('orderPlaced').describe('Kind of the mail; `orderPlaced` if omitted.'),
          to: z.string().trim().max(320).optional().describe('The recipient; the signed-in admin if omitted.'),
        })
        .nullish(),
      response: { 200: TestMailResponse },
    },
    handler: async ({ body, actor }) =>
      sendTestMail(context, { kind: body?.event ?? 'orderPlaced', to: body?.to ?? '', actor }),
  })
}

async function sendTestMail(
  context: NotifierContext,
  { kind, to: given, actor }: { kind: MailKind; to: string; actor: Actor },
): Promise<z.output<typeof TestMailResponse>> {
  const { settings, mailFrom, publicUrl, transport, clock } = context
  const shop = await currentSettings(settings)
  const disabledReason = whyDisabled(kind, shop.notifications)
  if (disabledReason !== undefined) throw notificationsDisabled(disabledReason)
  if (!transport.hasServer(shop.notifications)) throw noMailServer()
  const to = readEmailAddress(given || (await addressOf(actor, context)))?.canonical
  if (to === undefined) throw invalidEmail()

  const sender = senderOf(shop, mailFrom)
  const text = writeSampleMail(kind, shop, { senderName: sender.from.name, publicUrl })
  const id = newId('mail')
  const at = clock.now()
  const mail = { id, event_id: id, event_at: at, kind, recipient: to, reference: 'test' }
  const message = composeMessage(mail, text, sender)
  const result = await sendAndLogTestMail(context, { mail, message, actor, keptMs: 2 * DEADLINE_MS }, (beforeEnd) =>
    transport.sendNow(message, shop.notifications, { deadlineMs: DEADLINE_MS, beforeEnd }),
  )
  if (result.kind !== 'sent') throw sendFailed(result.answer)

  const preview = { event: kind, to, from: showMailbox(sender.from), subject: text.subject, text: text.text }
  return { delivered: true, messageId: message.messageId, preview }
}

/** @throws HttpError `missing_to` for a secret key, and for an admin who was removed */
async function addressOf(actor: Actor, { messaging }: NotifierContext): Promise<string> {
  if (actor.kind !== 'admin' || actor.sessionId === undefined) throw missingRecipient()
  const { email } = await sendRequest(messaging, ReadAdminAddress, { userId: actor.userId })
  if (email === undefined) throw missingRecipient()
  return email
}
