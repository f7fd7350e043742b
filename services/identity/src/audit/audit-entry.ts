import { NamedActor, Timestamp } from '@storefront/contracts'
import { z } from 'zod'

/** What is written down, by whatever part of this service. */
export const AuditedAction = z.enum([
  'sign_in',
  'sign_out',
  'change_password',
  'prepare_second_factor',
  'second_factor_on',
  'second_factor_off',
  'create_user',
  'change_user',
  'delete_user',
  'create_key',
  'revoke_key',
  'rotate_signing_key',
  'change_credentials',
])
export type AuditedAction = z.output<typeof AuditedAction>

export const AuditOutcome = z.enum([
  'succeeded',
  'unknown',
  'wrong_password',
  'disabled',
  /** The password was right, and the code is still to come. */
  'code_required',
  'wrong_code',
  /** Written once when refusing begins. */
  'too_many',
])
export type AuditOutcome = z.output<typeof AuditOutcome>

export const AdminAuditEntry = z
  .object({
    id: z.int(),
    at: Timestamp,
    /** Text, because a newer version of the service may have written down what this one does not know. */
    action: z.string(),
    outcome: z.string(),
    /** The admin user or the secret key; null when nobody proved to be one. */
    actor: z.string().nullable(),
    by: NamedActor.nullable(),
    /** The user, key or other thing that it was about. */
    subject: z.string().nullable(),
    /** That a sign-in was tried with, or of the user who was added or removed. */
    email: z.string().nullable(),
    /** What was changed, or used: names and never values. */
    fields: z.array(z.string()),
    address: z.string(),
    userAgent: z.string().nullable(),
    requestId: z.string(),
  })
  .meta({ id: 'AdminAuditEntry' })
