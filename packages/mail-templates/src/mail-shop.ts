import type { MailTemplate, StoreAddress } from '@storefront/contracts'
import { localizedAddress } from './address.ts'
import { usableLocale } from './locale.ts'
import { oneLine } from './words.ts'

/** The data about the shop that every mail needs. */
export interface MailShop {
  /** The shop's name, as it is written in a sentence. */
  name: string
  /** Postal address of the shop, shown in the footer of each mail. */
  address?: StoreAddress | undefined
  /** The shop's web address, with the base path and without a trailing slash: its pictures are below it. */
  publicUrl: string
  /** BCP 47; en-US is used for an unknown locale. */
  locale: string
  /** IANA name, for the dates of mails; UTC is used for an unknown one, and if there is none. */
  timeZone?: string | undefined
  /** The merchant's templates by kind. */
  templates?: Readonly<Record<string, MailTemplate>> | undefined
}

/** The shop as its mails show it. */
export interface Letterhead {
  name: string
  /** Lines of its address; empty when it has none. */
  address: string[]
}

/** A text of up to 500 characters could be all line breaks. */
const MAX_LINES = 8

export function letterheadOf({ name, address, locale }: Pick<MailShop, 'name' | 'address' | 'locale'>): Letterhead {
  const lines =
    typeof address === 'string' ? address.split(/\r\n?|\n/) : localizedAddress(address ?? {}, usableLocale(locale))
  return { name: oneLine(name), address: lines.map(oneLine).filter(Boolean).slice(0, MAX_LINES) }
}

/** The variables of the shop in the templates of every mail. */
export function storeVariables({ name, address }: Letterhead): { name: string; address: string | undefined } {
  return { name, address: address.length === 0 ? undefined : address.join('\n') }
}
