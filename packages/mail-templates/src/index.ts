export { isAboutLink } from './account-templates.ts'
export * from './faults-of-templates.ts'
export * from './mail-data.ts'
export * from './mail-kind.ts'
export {
  defaultTemplate,
  isAccountMail,
  renderAccountMail,
  renderOrderMail,
  type MailShop,
  type RenderedMail,
  type TemplateFault,
} from './render-mail.ts'
export { sampleAccountData, sampleOrderData } from './sample-data.ts'
export * from './variables.ts'
