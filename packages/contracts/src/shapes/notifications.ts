import { z } from 'zod'
import { ORDER_MAIL_KINDS } from '../mail-kinds.ts'

export const OrderMailKind = z.enum(ORDER_MAIL_KINDS)
export type OrderMailKind = z.output<typeof OrderMailKind>

/** Whether a mail of this kind is about an order, and its reference the order's number. */
export function isOrderMailKind(kind: string): kind is OrderMailKind {
  return OrderMailKind.safeParse(kind).success
}

function ofEachKind<Part extends z.ZodType>(part: Part) {
  return {
    orderPlaced: part,
    paymentCaptured: part,
    partlyShipped: part,
    shipped: part,
    trackingUpdated: part,
    refunded: part,
    cancelled: part,
  } satisfies Record<OrderMailKind, Part>
}

const templateParts = {
  subject: z.string().max(500).describe('The subject line. Null for the default.'),
  text: z.string().max(20_000).describe('The mail as plain text. Null for the default.'),
  html: z
    .string()
    .max(50_000)
    .describe('The HTML between header and footer of the page; values are escaped in it. Null for the default.'),
}

/** Every part may be left out: then the default is used. Liquid, with the variables that docs/mail.md lists. */
export const MailTemplate = z.looseObject(templateParts).partial()
export type MailTemplate = z.output<typeof MailTemplate>

/** The password is not included: it is the credential `smtpPassword`. */
export const SmtpSettings = z.looseObject({
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).optional(),
  /** TLS from the first byte, as on port 465; otherwise STARTTLS, if the server supports it. */
  secure: z.boolean().optional(),
  user: z.string().max(320).optional(),
})
export type SmtpSettings = z.output<typeof SmtpSettings>

/** The part of the storefront configuration for mails. Shoppers do not get it. */
export const NotificationSettings = z.looseObject({
  /** false stops every mail about orders. All other mails are sent in any case. */
  enabled: z.boolean().optional(),
  /** `Shop <shop@example.com>`, or the address alone. */
  from: z.string().max(320).optional(),
  replyTo: z.string().max(320).optional(),
  /** `none` stops every mail about orders, too. */
  transport: z.string().optional(),
  smtp: SmtpSettings.optional(),
  /** Kinds of mail that are switched off are false here. */
  events: z.looseObject(ofEachKind(z.boolean().optional())).optional(),
  /** By kind of mail, about orders, accounts and alerts. */
  templates: z.record(z.string(), MailTemplate).optional(),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

/** Described again, because null is an alternative to the described schema and not part of it. */
function orUnset<Part extends z.ZodType>(part: Part) {
  return part.nullish().describe(part.description ?? '')
}

const MailTemplateSetting = z.looseObject({
  subject: orUnset(templateParts.subject),
  text: orUnset(templateParts.text),
  html: orUnset(templateParts.html),
})

/** How mails about orders are sent. */
export const MAIL_TRANSPORTS = ['smtp', 'none'] as const

/** The same part as it is stored: null and the empty text mean that a value is not set. */
export const NotificationsDocument = z.looseObject({
  enabled: z.boolean().nullish().describe('false stops every mail about orders. All other mails are sent in any case.'),
  from: z
    .string()
    .max(320)
    .nullish()
    .describe('`Shop <shop@example.com>`, or the address alone, which is sent with the name of the shop.'),
  replyTo: z.string().max(320).nullish().describe('Address for replies of buyers; `from` if left out.'),
  transport: z
    .string()
    .nullish()
    .describe('`smtp`, or `none` to stop every mail about orders, as `enabled: false` does.'),
  smtp: z
    .looseObject({
      host: z
        .string()
        .max(253)
        .nullish()
        .describe('Name or address of the mail server; without one the mail server of the operator is used.'),
      port: z.int().min(1).max(65_535).nullish().describe('587 by default, or 465 with `secure`.'),
      secure: z
        .boolean()
        .nullish()
        .describe('TLS from the first byte, as on port 465; otherwise STARTTLS, if the server supports it.'),
      user: z.string().max(320).nullish().describe('The user name; its password is the credential `smtpPassword`.'),
    })
    .nullish()
    .describe('A mail server of the merchant.'),
  endpoint: z.string().max(2000).nullish().describe('Kept for storefronts; mails are sent only by smtp.'),
  events: z
    .looseObject(ofEachKind(z.boolean().nullish().describe('false switches this kind off.')))
    .nullish()
    .describe(
      'Kinds of mail about orders that are switched off are false. `shipped` also switches `partlyShipped` and `trackingUpdated`.',
    ),
  templates: z
    .record(z.string(), MailTemplateSetting.nullable())
    .nullish()
    .describe('Liquid templates by kind of mail, about orders, accounts and alerts; null restores the default.'),
})
export type NotificationsDocument = z.output<typeof NotificationsDocument>
