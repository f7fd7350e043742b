import { z } from 'zod'
import { AccountMailKind, AlertMailKind, ORDER_MAIL_KINDS } from '@storefront/contracts'

/** Every kind of mail that has a template. */
export const MailKind = z.enum([...ORDER_MAIL_KINDS, ...AccountMailKind.options, ...AlertMailKind.options])
export type MailKind = z.output<typeof MailKind>
