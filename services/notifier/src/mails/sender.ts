import type { NotificationSettings } from '@storefront/contracts'
import addressparser from 'nodemailer/lib/addressparser'

export interface Mailbox {
  name: string
  address: string
}

/** Who mails come from, and where answers to them go. */
export interface Sender {
  from: Mailbox
  replyTo: Mailbox | undefined
}

const ADDRESS = /^[^\s@"<>(),;:\\[\]]{1,64}@[^\s@"<>(),;:\\[\]]{1,190}$/

/** @param fallback takes the place of a sender that the merchant left out, or that is no address */
export function senderOf(settings: NotificationSettings, fallback: string): Sender {
  return {
    from: mailboxOf(settings.from) ?? mailboxOf(fallback) ?? { name: '', address: fallback },
    replyTo: mailboxOf(settings.replyTo),
  }
}

/** As it is written in a mail program. */
export function showMailbox({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}

/** The first address of a text that may hold several. What holds more than a line is nobody's name. */
function mailboxOf(text = ''): Mailbox | undefined {
  if (/\p{Cc}/u.test(text)) return undefined
  const [first] = addressparser(text, { flatten: true })
  return first && ADDRESS.test(first.address) ? { name: first.name, address: first.address } : undefined
}
