import type { AUDITED_KINDS } from '@storefront/contracts'
import type { KeyEnd } from '../api-keys/end-keys.ts'
import type { AuditedAction, AuditOutcome } from './audit-entry.ts'

type IdentityKind = (typeof AUDITED_KINDS.identity)[number]

/** The subject of an entry of each action. */
export const KIND_OF_ACTION: Record<AuditedAction, IdentityKind> = {
  sign_in: 'sign-in',
  sign_out: 'sign-in',
  change_password: 'admin-user',
  prepare_second_factor: 'admin-user',
  second_factor_on: 'admin-user',
  second_factor_off: 'admin-user',
  create_user: 'admin-user',
  change_user: 'admin-user',
  delete_user: 'admin-user',
  create_key: 'api-key',
  revoke_key: 'api-key',
  limit_key: 'api-key',
  rotate_signing_key: 'signing-key',
  change_credentials: 'credentials',
  save_view: 'saved-view',
  delete_view: 'saved-view',
  export_customer: 'customer',
  delete_customer: 'customer',
}

interface Words {
  /** The name of the user or key, as the merchant knows it. */
  name: string
  fields: readonly string[]
}

/** What was done, as the beginning and the end of a sentence. */
const SENTENCES: Record<AuditedAction, [subject: (words: Words) => string, done: (words: Words) => string]> = {
  sign_in: [({ name }) => `The sign-in of “${name}”`, () => 'succeeded'],
  sign_out: [({ name }) => `“${name}”`, () => 'signed out'],
  change_password: [({ name }) => `The password of “${name}”`, () => 'was changed'],
  prepare_second_factor: [({ name }) => `A second factor of “${name}”`, () => 'was prepared, and is not on yet'],
  second_factor_on: [({ name }) => `The second factor of “${name}”`, () => 'was switched on'],
  second_factor_off: [({ name }) => `The second factor of “${name}”`, () => 'was switched off'],
  create_user: [({ name }) => `The admin user “${name}”`, () => 'was added'],
  change_user: [({ name }) => `The admin user “${name}”`, ({ fields }) => `was changed${listed(fields)}`],
  delete_user: [({ name }) => `The admin user “${name}”`, () => 'was removed'],
  create_key: [({ name }) => `The key “${name}”`, () => 'was created'],
  revoke_key: [({ name }) => `The key “${name}”`, ({ fields }) => `was revoked${because(fields)}`],
  limit_key: [({ name }) => `The key “${name}”`, () => 'of an older version got an expiry date'],
  rotate_signing_key: [
    () => 'The signing key',
    ({ fields }) => (fields.length > 0 ? 'was replaced, and all users were signed out' : 'was rotated'),
  ],
  change_credentials: [() => 'Credentials', ({ fields }) => `were changed${listed(fields)}`],
  save_view: [({ fields }) => `A view${of(fields)}`, () => 'was saved'],
  delete_view: [({ fields }) => `A saved view${of(fields)}`, () => 'was deleted'],
  // Without the name, because the customer may have been deleted since.
  export_customer: [() => 'The personal data of a customer', () => 'were exported'],
  delete_customer: [() => 'The account of a customer', () => 'was deleted'],
}

/** The subject of a rejected attempt, where that of a success would be unclear. A name of the actor is left out. */
const ATTEMPTS: Partial<Record<AuditedAction, (words: Words) => string>> = {
  change_password: ({ name }) => `A new password for “${name}”`,
  second_factor_on: ({ name }) => `A second factor for “${name}”`,
  second_factor_off: ({ name }) => `Switching off the second factor of “${name}”`,
  create_user: () => 'Adding an admin user',
  change_user: ({ name }) => `A change of the admin user “${name}”`,
  delete_user: ({ name }) => `Removing the admin user “${name}”`,
  create_key: () => 'Creating an API key',
  change_credentials: () => 'A change of credentials',
}

const REASONS: Record<Exclude<AuditOutcome, 'succeeded'>, string> = {
  unknown: 'no admin user has this email address',
  wrong_password: 'the password was wrong',
  disabled: 'the account is disabled',
  code_required: 'the code of the second factor was missing',
  wrong_code: 'the code of the second factor was wrong',
  too_many: 'there were too many attempts',
}

/** An audit entry as a sentence, for a merchant who reads the activity of the shop. */
export function auditSentence(action: AuditedAction, outcome: AuditOutcome, words: Words): string {
  const [subject, done] = SENTENCES[action]
  if (outcome === 'succeeded') return `${subject(words)} ${done(words)}.`
  return `${(ATTEMPTS[action] ?? subject)(words)} was rejected: ${REASONS[outcome]}.`
}

const CAUSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    user_removed: 'its creator was removed',
    user_disabled: 'its creator was disabled',
    role_changed: 'its creator lost a permission that the key has',
    password_changed: 'its creator got a new password',
    all_revoked: 'all keys of its creator were revoked',
    maker_revoked: 'the key that created it was revoked',
  } satisfies Record<KeyEnd, string>),
)

function because(fields: readonly string[]): string {
  const cause = CAUSES.get(fields[0] ?? '')
  return cause === undefined ? '' : `, because ${cause}`
}

function listed(fields: readonly string[]): string {
  return fields.length === 0 ? '' : `: ${fields.join(', ')}`
}

function of(fields: readonly string[]): string {
  return fields.length === 0 ? '' : ` of ${fields.join(', ')}`
}
