import { z } from 'zod'
import { ACCOUNT_MAIL_KINDS } from '../mail-kinds.ts'
import type { ServiceName } from '../services.ts'
import { Ok } from './common.ts'

export const AccountMailKind = z.enum(ACCOUNT_MAIL_KINDS)
export type AccountMailKind = z.output<typeof AccountMailKind>

/** Secrets of a shop, which POST /admin/credentials stores and no response ever contains. */
export const CREDENTIAL_KEYS = [
  'razorpayKeySecret',
  'razorpayWebhookSecret',
  'stripeSecretKey',
  'stripeWebhookSecret',
  'smtpPassword',
  'storefrontWebhookSecret',
] as const
export const CredentialKey = z.enum(CREDENTIAL_KEYS)
export type CredentialKey = z.output<typeof CredentialKey>

/** The service that uses each of them: no other service ever gets it. */
export const CREDENTIAL_READERS = {
  razorpayKeySecret: 'orders',
  razorpayWebhookSecret: 'orders',
  stripeSecretKey: 'orders',
  stripeWebhookSecret: 'orders',
  smtpPassword: 'notifier',
  storefrontWebhookSecret: 'notifier',
} as const satisfies Record<CredentialKey, ServiceName>

/** The reply to a confirmed email address. */
export const EmailVerification = Ok.extend({
  newPasswordRequired: z
    .literal(true)
    .optional()
    .describe(
      'The link was opened without a session or the password of the account. Every session has ended, and the address counts as ' +
        'verified after a new password is set.',
    ),
  resetToken: z
    .string()
    .optional()
    .describe(
      'For `POST /auth/password/reset`, valid once and for an hour; later, `POST /auth/password/forgot` sends another link.',
    ),
}).meta({ id: 'EmailVerification' })
export type EmailVerification = z.output<typeof EmailVerification>
