import { createHash } from 'node:crypto'
import { EMAIL_PATTERN } from '@storefront/contracts'
import addressparser from 'nodemailer/lib/addressparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { ClaimedMail } from './mails.queries.ts'
import { writeMail } from './mail-kinds.ts'
import type { LinkReader } from './read-link.ts'

export interface Message {
  /** `<reference>-<kind>-<event id>`, fit for a file name. */
  name: string
  from: string
  to: string
  /** The whole message with its headers: the same bytes whenever it is composed, while its link stays the same. */
  bytes: Buffer
  holdsLink: boolean
}

/**
 * Makes the message that goes out. Message-ID, date and boundaries come from the event, so that a repeat is the same
 * message and a mail program can tell.
 * @returns undefined when the mail is about a link that leads nowhere any more
 * @throws LinkUnavailable when it cannot be written for now
 * @throws Error when the mail cannot be written, now or ever
 */
export async function composeMessage(
  mail: ClaimedMail,
  { sender, readLink }: { sender: string; readLink: LinkReader },
): Promise<Message | undefined> {
  // What is no single address could be read as several, or as more of the conversation.
  if (!EMAIL_PATTERN.test(mail.recipient)) throw new Error('the recipient is no e-mail address')
  const shop = addressparser(sender, { flatten: true })[0]?.name || 'the shop'
  const written = await writeMail(mail.kind, mail.data, { shop, readLink })
  if (!written) return undefined
  const { subject, text, html, holdsLink } = written
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost'
  const message = new MailComposer({
    from: sender,
    to: { name: '', address: mail.recipient },
    subject,
    text,
    html,
    date: mail.event_at,
    messageId: `<${mail.event_id}.${mail.kind}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    baseBoundary: createHash('sha256').update(`${mail.event_id}.${mail.kind}`).digest('hex').slice(0, 32),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const { from } = message.getEnvelope()
  return {
    name: [mail.reference, mail.kind, mail.event_id].map((part) => part.replaceAll(/[^A-Za-z0-9_-]/g, '_')).join('-'),
    from: from === false ? '' : from,
    to: mail.recipient,
    bytes: await message.build(),
    holdsLink,
  }
}
