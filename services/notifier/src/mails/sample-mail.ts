import {
  isAboutLink,
  isAccountMail,
  isAlertMail,
  renderAccountMail,
  renderAlertMail,
  renderOrderMail,
  sampleAccountData,
  sampleAlertData,
  sampleOrderData,
  type MailKind,
} from '@storefront/mail-templates'
import type { ShopSettings } from '../settings/settings-reader.ts'
import { mailShopOf, type MailText } from './mail-kinds.ts'

/**
 * A mail of this kind with the current templates, about an order, an account or an alert that does not exist.
 * @param around.senderName replaces the shop's name when it has none
 */
export function writeSampleMail(
  kind: MailKind,
  settings: ShopSettings,
  around: { senderName: string; publicUrl: string },
): MailText {
  const shop = mailShopOf(settings, around)
  if (isAlertMail(kind)) return { ...renderAlertMail(kind, sampleAlertData(kind, settings), shop), holdsLink: false }
  const { name, link } = sampleAccountData()
  const accountData = isAboutLink(kind) ? { name, link } : { name }
  const mail = isAccountMail(kind)
    ? renderAccountMail(kind, accountData, shop)
    : renderOrderMail(kind, sampleOrderData(settings), shop)
  return { ...mail, holdsLink: false }
}
