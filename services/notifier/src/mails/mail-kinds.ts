import { z } from 'zod'
import type { AlertMailKind } from '@storefront/contracts'
import {
  AlertMailData,
  isAboutLink,
  isAccountMail,
  isAlertMail,
  MailKind,
  OrderMailData,
  renderAccountMail,
  renderAlertMail,
  renderOrderMail,
  type MailLink,
  type MailShop,
  type RenderedMail,
} from '@storefront/mail-templates'
import type { ShopSettings } from '../settings/settings-reader.ts'
import { LinkUnavailable, type LinkReader, type PaymentLinkReader } from './read-link.ts'
import type { AlertPages } from './read-alert-links.ts'
import type { OrderPages } from './read-order-link.ts'

export interface MailText extends RenderedMail {
  /** The link in this mail is a secret: the mail server's response may repeat it, and must not be stored. */
  holdsLink: boolean
  /** The address that ends such mails with one click of a mail program (RFC 8058). */
  oneClickUrl?: string
}

/** Where the links of a mail come from. */
export interface LinkSources {
  readLink: LinkReader
  readPaymentLink: PaymentLinkReader
  orderPages: OrderPages
  alertPages: AlertPages
  /** Public address of the shop, with the base path. */
  publicUrl: string
}

/** What a mail is written from, beside its reference and the data of its row. */
export interface Letterhead extends LinkSources {
  settings: ShopSettings
  /**
   * The mail has waited long enough for the link to its order: it is sent with one that only the buyer's session or
   * browser can open.
   */
  isLate: boolean
  /** The sender: it replaces the shop's name when the shop has none. */
  senderName: string
}

const AccountMailRow = z.object({
  name: z.string().optional(),
  confirmationId: z.string().optional(),
  paymentLink: z.object({ draftId: z.string(), linkNumber: z.int() }).optional(),
})

/**
 * Writes the text of a mail, of any kind, from the data of its row.
 * @returns undefined when the mail is about a link that is no longer valid
 * @throws LinkUnavailable when the link cannot be requested at the moment
 * @throws Error for a kind that this code does not know, or data that does not fit it
 */
export async function writeMail(
  { kind, data, reference }: { kind: string; data: unknown; reference: string },
  letterhead: Letterhead,
): Promise<MailText | undefined> {
  const known = MailKind.safeParse(kind)
  if (!known.success) throw new Error(`unknown kind of mail: ${kind}`)
  if (isAlertMail(known.data)) return writeAlertMail(known.data, { alertId: reference, data }, letterhead)
  const shop = mailShopOf(letterhead.settings, letterhead)
  if (!isAccountMail(known.data)) {
    const source = OrderMailData.parse(data)
    const url = await orderUrl(source.order.id, letterhead)
    return { ...renderOrderMail(known.data, { ...source, url }, shop), holdsLink: true }
  }

  const { name, ...row } = AccountMailRow.parse(data)
  if (!isAboutLink(kind)) return { ...renderAccountMail(known.data, { name }, shop), holdsLink: false }
  const link = await linkOf(kind, row, letterhead)
  return link && { ...renderAccountMail(known.data, { name, link }, shop), holdsLink: true }
}

async function writeAlertMail(
  kind: AlertMailKind,
  { alertId, data }: { alertId: string; data: unknown },
  letterhead: Letterhead,
): Promise<MailText | undefined> {
  const source = AlertMailData.parse(data)
  const { alertPages } = letterhead
  const links = await alertPages.links(alertId)
  if (!links) return undefined
  const { unsubscribeUrl, oneClickUrl, confirm } = links
  const isConfirmation = kind === 'alertConfirmation'
  if (isConfirmation && !confirm) return undefined
  const productUrl = alertPages.product(source.product.slug)
  const filled = { ...source, productUrl, unsubscribeUrl, ...(isConfirmation && { confirm }) }
  return { ...renderAlertMail(kind, filled, mailShopOf(letterhead.settings, letterhead)), holdsLink: true, oneClickUrl }
}

function linkOf(
  kind: string,
  { confirmationId, paymentLink }: Omit<z.output<typeof AccountMailRow>, 'name'>,
  { readLink, readPaymentLink }: Letterhead,
): Promise<MailLink | undefined> {
  if (paymentLink) return readPaymentLink(paymentLink)
  if (confirmationId === undefined) throw new Error(`the mail needs a link and has no confirmation: ${kind}`)
  return readLink(confirmationId)
}

async function orderUrl(orderId: string, { orderPages, isLate }: Letterhead): Promise<string | undefined> {
  try {
    return await orderPages.open(orderId)
  } catch (error) {
    if (!isLate || !(error instanceof LinkUnavailable)) throw error
    return orderPages.bare(orderId)
  }
}

/** The shop as the templates see it. */
export function mailShopOf(
  settings: ShopSettings,
  { senderName, publicUrl }: { senderName: string; publicUrl: string },
): MailShop {
  const { storeName, storeAddress, locale, timeZone, notifications } = settings
  const name = storeName.trim() || senderName || 'the shop'
  return { name, address: storeAddress, publicUrl, locale, timeZone, templates: notifications.templates }
}
