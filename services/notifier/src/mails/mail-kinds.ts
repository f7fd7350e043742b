import { AccountMailKind } from '@storefront/contracts'
import { ACCOUNT_MAILS_ABOUT_LINKS, AccountMail, writeAccountMail } from './account-mail.ts'
import { OrderPlacedMail, writeOrderPlaced } from './order-placed.ts'
import type { LinkReader } from './read-link.ts'

export interface MailText {
  subject: string
  text: string
  html: string
  /** Whoever reads this mail can do what its link does: what a mail server says about it may repeat the link. */
  holdsLink: boolean
}

/** What the writers know beside the data of the row. */
export interface Letterhead {
  /** The shop's name, as it stands in a sentence. */
  shop: string
  readLink: LinkReader
}

type Writer = (data: unknown, letterhead: Letterhead) => MailText | Promise<MailText | undefined>

/** Every kind of mail: from the data of its row to what is read. */
const WRITERS = new Map<string, Writer>([
  ['orderPlaced', (data) => writeOrderPlaced(OrderPlacedMail.parse(data))],
  ...AccountMailKind.options.map((kind): [string, Writer] => [
    kind,
    (data, letterhead) => writeAccountMail(kind, AccountMail.parse(data), letterhead),
  ]),
])

/** Whether such a mail is worth nothing once its link has run out. */
export function isAboutLink(kind: string): boolean {
  return ACCOUNT_MAILS_ABOUT_LINKS.has(kind)
}

/**
 * @returns undefined when the mail is about a link that leads nowhere any more
 * @throws LinkUnavailable when nobody can say where its link leads, for now
 * @throws Error for a kind that this code does not know, or data that does not fit it
 */
export async function writeMail(kind: string, data: unknown, letterhead: Letterhead): Promise<MailText | undefined> {
  const write = WRITERS.get(kind)
  if (!write) throw new Error(`no such kind of mail: ${kind}`)
  return write(data, letterhead)
}
