import { NamedActor, Timestamp } from '@storefront/contracts'
import { z } from 'zod'

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
  /** Written by a migration: a key of an older version got an expiry date. */
  'limit_key',
  'rotate_signing_key',
  'change_credentials',
  'save_view',
  'delete_view',
  'export_customer',
  'delete_customer',
])
export type AuditedAction = z.output<typeof AuditedAction>

export const AuditOutcome = z.enum([
  'succeeded',
  'unknown',
  'wrong_password',
  'disabled',
  /** The password was correct, and the code is still missing. */
  'code_required',
  'wrong_code',
  /** Written once when blocking begins. */
  'too_many',
])
export type AuditOutcome = z.output<typeof AuditOutcome>

export const AdminAuditEntry = z
  .object({
    id: z.int().describe('Entries are numbered in the order in which they were written.'),
    at: Timestamp.describe('When it was done.'),
    // Text, because a newer version of the service may have written values that this one does not know.
    action: z.string().describe('Such as `sign_in`, `change_user` or `revoke_key`; a later version may add others.'),
    outcome: z.string().describe('`succeeded`, or why not, such as `wrong_password` or `too_many`.'),
    actor: z.string().nullable().describe('Id of the admin user or secret key; null when neither was authenticated.'),
    by: NamedActor.nullable().describe('The actor with the current name; null when there is none.'),
    subject: z.string().nullable().describe('Id of the user or key, or name of the thing, that was changed, if any.'),
    email: z
      .string()
      .nullable()
      .describe(
        'The address that a sign-in was attempted with, or of the user who was added or removed; otherwise null.',
      ),
    fields: z.array(z.string()).describe('Names of the changed or used fields, never values.'),
    address: z.string().describe('IP address that the request came from.'),
    userAgent: z.string().nullable().describe("The client's User-Agent, cut to 200 characters; null if missing."),
    requestId: z.string().describe('`X-Request-Id` of the request, as in the logs.'),
  })
  .meta({ id: 'AdminAuditEntry' })
