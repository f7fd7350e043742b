import type { MailTemplate, StoreAddress } from '@storefront/contracts'
import { addressLines } from './address.ts'
import { usableLocale } from './locale.ts'
import { oneLine } from './words.ts'

/** What mails are written with, beside what they are about. */
export interface MailShop {
  /** The shop's name, as it stands in a sentence. */
  name: string
  /** Where the shop is: it stands in the foot of each mail. */
  address?: StoreAddress | undefined
  /** The shop's address on the web, with the base path and without a slash at the end: its pictures lie below it. */
  publicUrl: string
  /** BCP 47; en-US holds in the place of one that is unknown. */
  locale: string
  /** The merchant's templates by kind. */
  templates?: Readonly<Record<string, MailTemplate>> | undefined
}

/** The shop as its mails show it. */
export interface Letterhead {
  name: string
  /** Lines of its address; none when it has not given one. */
  address: string[]
}

/** A text of up to 500 characters could be all line breaks. */
const MAX_LINES = 8

export function letterheadOf({ name, address, locale }: MailShop): Letterhead {
  const lines =
    typeof address === 'string' ? address.split(/\r\n?|\n/) : addressLines(address ?? {}, usableLocale(locale))
  return { name: oneLine(name), address: lines.map(oneLine).filter(Boolean).slice(0, MAX_LINES) }
}

/** The shop as the templates of every mail may name it. */
export function storeVariables({ name, address }: Letterhead): { name: string; address: string | undefined } {
  return { name, address: address.length === 0 ? undefined : address.join('\n') }
}
