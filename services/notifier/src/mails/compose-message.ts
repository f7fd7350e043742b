import { createHash } from 'node:crypto'
import { readEmailAddress } from '@storefront/contracts'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailText } from './mail-kinds.ts'
import type { ClaimedMail } from './mails.queries.ts'
import type { Sender } from './sender.ts'
import { writeMessage } from './write-message.ts'

export interface Message {
  /** `<reference>-<kind>-<event id>`, the same for every attempt. */
  name: string
  messageId: string
  from: string
  /** In canonical form: mails go to the address that accounts and limits use. */
  to: string
  /**
   * The whole message with its headers: the same bytes whenever it is composed, while its text and sender stay the
   * same.
   */
  bytes: Buffer
  holdsLink: boolean
  fellBack: MailText['fellBack']
}

/**
 * Composes the message. Message-ID, date and boundaries are derived from the event, so that a repetition is the same
 * message and a mail program can recognize it.
 * @throws Error when the recipient is not an address
 */
export function composeMessage(
  mail: Pick<ClaimedMail, 'event_id' | 'event_at' | 'kind' | 'recipient' | 'reference'>,
  { subject, text, html, holdsLink, oneClickUrl, fellBack }: MailText,
  { from, replyTo }: Sender,
): Message {
  // A value that is not a single address could be read as several, or as SMTP commands.
  const recipient = readEmailAddress(mail.recipient)?.canonical
  if (recipient === undefined) throw new Error('the recipient is not an email address')
  const domain = /@([A-Za-z0-9.-]+)$/.exec(from.address)?.[1] ?? 'localhost'
  const messageId = `<${mail.event_id}.${mail.kind}@${domain}>`
  const message = new MailComposer({
    from,
    ...(replyTo ? { replyTo } : {}),
    to: { name: '', address: recipient },
    subject,
    text,
    html,
    date: mail.event_at,
    messageId,
    headers: { 'Auto-Submitted': 'auto-generated', ...(oneClickUrl !== undefined && oneClickHeaders(oneClickUrl)) },
    baseBoundary: createHash('sha256').update(`${mail.event_id}.${mail.kind}`).digest('hex').slice(0, 32),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const envelope = message.getEnvelope()
  return {
    name: [mail.reference, mail.kind, mail.event_id].map((part) => part.replaceAll(/[^A-Za-z0-9_-]/g, '_')).join('-'),
    messageId,
    from: envelope.from === false ? '' : envelope.from,
    to: recipient,
    bytes: writeMessage(message),
    holdsLink,
    fellBack,
  }
}

/** The form of a mail program that ends such mails (RFC 8058). Prepared, because folding would break the address. */
function oneClickHeaders(url: string) {
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
