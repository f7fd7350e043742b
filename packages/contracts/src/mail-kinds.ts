// In a file without libraries, because browsers load it too.

/** Mails to the buyer about an order, in the order in which they are sent. */
export const ORDER_MAIL_KINDS = [
  'orderPlaced',
  'paymentCaptured',
  'partlyShipped',
  'shipped',
  'trackingUpdated',
  'refunded',
  'cancelled',
] as const

/** Mails about an account, the newsletter or a draft order. The first four and the last contain a link. */
export const ACCOUNT_MAIL_KINDS = [
  'newsletterConfirmation',
  'emailVerification',
  'emailChange',
  'passwordReset',
  'passwordChanged',
  'emailChanged',
  'accountDeleted',
  'paymentLink',
] as const

/** Mails to a shopper who waits for a product. The first contains a link to confirm the alert with. */
export const ALERT_MAIL_KINDS = ['alertConfirmation', 'backInStock', 'priceDrop'] as const
