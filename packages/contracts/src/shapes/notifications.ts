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

const MailTemplateSetting = z.looseObject({
  subject: z.string().max(500).describe('The subject.').nullish(),
  text: z.string().max(20_000).describe('The mail as plain text.').nullish(),
  html: z.string().max(50_000).describe('What stands inside the page; values are escaped in it.').nullish(),
})

/** How mails about orders leave the shop. */
export const MAIL_TRANSPORTS = ['smtp', 'none'] as const

/** The same part as the document holds it: null and the empty text mean that a value is not set. */
export const NotificationsDocument = z.looseObject({
  enabled: z
    .boolean()
    .describe('false stops every mail about orders. Mails about accounts are sent whatever it says.')
    .nullish(),
  from: z.string().max(320).describe('`Shop <shop@example.com>`, or the address alone.').nullish(),
  replyTo: z.string().max(320).describe('Where replies of buyers go.').nullish(),
  transport: z.string().describe('smtp, or none to send no mail about orders. smtp while it is not set.').nullish(),
  smtp: z
    .looseObject({
      host: z
        .string()
        .max(253)
        .describe('The name of the mail server; without one the operator’s server sends.')
        .nullish(),
      port: z.int().min(1).max(65_535).describe('587 while it is not set, or 465 with `secure`.').nullish(),
      secure: z
        .boolean()
        .describe('TLS from the first byte, as on port 465; otherwise STARTTLS, where the server offers it.')
        .nullish(),
      user: z.string().max(320).describe('The user name; its password is the credential `smtpPassword`.').nullish(),
    })
    .describe('A mail server of the merchant.')
    .nullish(),
  endpoint: z.string().max(2000).describe('Kept for storefronts; mails are sent by smtp only.').nullish(),
  events: z
    .partialRecord(OrderMailKind, z.boolean().nullable())
    .describe('Kinds of mail that are switched off are false here.')
    .nullish(),
  templates: z
    .record(z.string(), MailTemplateSetting.nullable())
    .describe('Templates by kind of mail: those about orders, and those about accounts.')
    .nullish(),
})
export type NotificationsDocument = z.output<typeof NotificationsDocument>
