import { oneLine } from '@storefront/mail-templates'
import addressparser from 'nodemailer/lib/addressparser'
import type { ShopSettings } from '../settings/settings-reader.ts'

export interface Mailbox {
  name: string
  address: string
}

/** The sender of mails, and the address for replies to them. */
export interface Sender {
  from: Mailbox
  replyTo: Mailbox | undefined
}

type Sending = Pick<ShopSettings, 'notifications' | 'storeName'>

const ADDRESS = /^[^\s@"<>(),;:\\[\]]{1,64}@[^\s@"<>(),;:\\[\]]{1,190}$/

/** More than mail programs show. A name of any length would not fit into a line of a header. */
const MAX_NAME_CHARACTERS = 100

/**
 * The sender is the shop's name, unless the merchant has set another one.
 * @param fallback replaces a sender that the merchant omitted, or that is not an address
 */
export function senderOf({ notifications, storeName }: Sending, fallback: string): Sender {
  const named = mailboxOf(notifications.from)
  const from = named ?? mailboxOf(fallback) ?? { name: '', address: fallback }
  return {
    from: { name: named?.name || nameOfShop(storeName) || from.name, address: from.address },
    replyTo: mailboxOf(notifications.replyTo),
  }
}

function nameOfShop(storeName: string): string {
  return Array.from(oneLine(storeName)).slice(0, MAX_NAME_CHARACTERS).join('').trim()
}

/** As it is written in a mail program. */
export function showMailbox({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}

/** The first address of a text that may contain several. A text of more than one line is not a valid name. */
function mailboxOf(text = ''): Mailbox | undefined {
  if (/\p{Cc}/u.test(text)) return undefined
  const [first] = addressparser(text, { flatten: true })
  return first && ADDRESS.test(first.address) ? { name: first.name, address: first.address } : undefined
}
