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
  /** Written by a migration: a key of an older version was given an end. */
  'limit_key',
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
    id: z.int().describe('Entries are numbered in the order in which they were written.'),
    at: Timestamp.describe('When it was done.'),
    // Text, because a newer version of the service may have written down what this one does not know.
    action: z.string().describe('Such as `sign_in`, `change_user` or `revoke_key`; a later version may add others.'),
    outcome: z.string().describe('`succeeded`, or why not, such as `wrong_password` or `too_many`.'),
    actor: z.string().nullable().describe('Id of the admin user or secret key; null when neither was proved.'),
    by: NamedActor.nullable().describe('The actor with the name of today; null when there is none.'),
    subject: z.string().nullable().describe('Id of the user or key, or name of the thing, that it was about, if any.'),
    email: z
      .string()
      .nullable()
      .describe('The address that a sign-in was tried with, or of the user who was added or removed; otherwise null.'),
    fields: z.array(z.string()).describe('Names of what was changed or used, never values.'),
    address: z.string().describe('IP address that the request came from.'),
    userAgent: z
      .string()
      .nullable()
      .describe('What the client called itself, cut to 200 characters; null when nothing.'),
    requestId: z.string().describe('`X-Request-Id` of the request, as in the logs.'),
  })
  .meta({ id: 'AdminAuditEntry' })
