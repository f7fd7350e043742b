import { z } from 'zod'

/** Mails to the buyer about an order, in the order of its life (decisions, section 7). */
export const ORDER_MAIL_KINDS = [
  'orderPlaced',
  'paymentCaptured',
  'shipped',
  'trackingUpdated',
  'refunded',
  'cancelled',
] as const
export const OrderMailKind = z.enum(ORDER_MAIL_KINDS)
export type OrderMailKind = z.output<typeof OrderMailKind>

/** Every part may be left out: then ours holds. Liquid, with the variables that docs/mail.md lists. */
export const MailTemplate = z.looseObject({
  subject: z.string().max(500).optional(),
  text: z.string().max(20_000).optional(),
  /** What stands inside the page; values are escaped in it. */
  html: z.string().max(50_000).optional(),
})
export type MailTemplate = z.output<typeof MailTemplate>

/** The password is no part of it: it is the credential `smtpPassword`. */
export const SmtpSettings = z.looseObject({
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).optional(),
  /** TLS from the first byte, as on port 465; otherwise STARTTLS, where the server offers it. */
  secure: z.boolean().optional(),
  user: z.string().max(320).optional(),
})
export type SmtpSettings = z.output<typeof SmtpSettings>

/** The part of the storefront configuration that rules mails. Visitors do not get it. */
export const NotificationSettings = z.looseObject({
  /** false stops every mail about orders. Mails about accounts are sent whatever it says. */
  enabled: z.boolean().optional(),
  /** `Shop <shop@example.com>`, or the address alone. */
  from: z.string().max(320).optional(),
  replyTo: z.string().max(320).optional(),
  smtp: SmtpSettings.optional(),
  /** Kinds of mail that are switched off are false here. */
  events: z.partialRecord(OrderMailKind, z.boolean()).optional(),
  /** By kind of mail: those about orders, and those about accounts. */
  templates: z.record(z.string(), MailTemplate).optional(),
})
export type NotificationSettings = z.output<typeof NotificationSettings>
