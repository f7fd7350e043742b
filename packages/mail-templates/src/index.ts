export { isAboutLink } from './account-templates.ts'
export { localizedAddress } from './address.ts'
export * from './faults-of-templates.ts'
export * from './mail-data.ts'
export * from './mail-kind.ts'
export { countryName, usableLocale } from './locale.ts'
export { letterheadOf, type MailShop } from './mail-shop.ts'
export {
  defaultTemplate,
  isAccountMail,
  isAlertMail,
  renderAccountMail,
  renderAlertMail,
  renderOrderMail,
  type RenderedMail,
} from './render-mail.ts'
export { sampleAccountData, sampleAlertData, sampleOrderData } from './sample-data.ts'
export * from './variables.ts'
export { oneLine } from './words.ts'
