import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { AdminRole } from '@storefront/contracts'
import type { Purpose } from './confirmations/confirmation.ts'

interface CustomersTable {
  id: string
  email: string
  email_canonical: string | null
  password_hash: string
  unproven_password_hash: Generated<string | null>
  first_name: string
  last_name: string
  phone: string | null
  marketing_opt_in: Generated<boolean>
  email_verified_at: Date | null
  created_at: Date
}

interface AddressesTable {
  id: string
  customer_id: string
  position: Generated<number>
  name: string
  line1: string
  line2: string
  city: string
  region: string
  postal_code: string
  country: string
  phone: string
  is_default: boolean
}

interface AdminUsersTable {
  id: string
  email: string
  email_canonical: string | null
  password_hash: string
  name: string
  role: AdminRole
  created_at: Date
  disabled_at: Date | null
  last_sign_in_at: Date | null
}

interface AdminSecondFactorsTable {
  admin_user_id: string
  secret: string
  sealed_with: 'nothing' | 'aes-256-gcm'
  prepared_at: Date
  confirmed_at: Date | null
  last_step: number
}

interface AdminRecoveryCodesTable {
  admin_user_id: string
  digest: string
}

interface AttemptsTable {
  kind: 'customer_password' | 'admin_password' | 'second_factor'
  subject: string
  tried_at: Date[]
  refusals: number
  last_at: Date
}

interface AdminAuditTable {
  id: Generated<number>
  at: Date
  action: string
  outcome: string
  actor: string | null
  subject: string | null
  email: string | null
  fields: string[]
  address: string
  user_agent: string | null
  request_id: string
}

interface SessionsTable {
  id: string
  kind: 'customer' | 'admin'
  customer_id: string | null
  admin_user_id: string | null
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  shared_at: Date | null
}

interface SigningKeysTable {
  kid: string
  public_jwk: ColumnType<unknown, string, never>
  private_key: string | null
  sealed_with: 'nothing' | 'aes-256-gcm'
  created_at: Date
  signs_from: Date
  retired_at: Date | null
}

interface ConfirmationsTable {
  id: string
  purpose: Purpose
  customer_id: string | null
  email: string
  email_canonical: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

interface MailLinkKeyTable {
  only_one: Generated<boolean>
  secret: string
  sealed_with: 'nothing' | 'aes-256-gcm'
  created_at: Date
}

interface PasswordResetRequestsTable {
  id: Generated<number>
  email: string
  email_canonical: string | null
  senders: Generated<string[]>
  requested_at: Date
}

interface RecipientMailsTable {
  purpose: Purpose
  recipient: string
  asked_at: Date[]
  last_at: Date
}

interface NewsletterRequestsTable {
  id: Generated<number>
  email: string
  email_canonical: string | null
  senders: Generated<string[]>
  requested_at: Date
}

interface ApiKeysTable {
  id: string
  kind: 'secret' | 'publishable'
  name: string
  permissions: string[]
  digest: string | null
  publishable_key: string | null
  hint: string
  created_at: Date
  created_by: string
  /** The admin user at the root; null for a key of an older version whose creator cannot sign in any more. */
  maker_id: string | null
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  shared_at: Date | null
}

interface NewsletterSubscribersTable {
  id: Generated<string>
  email: string
  email_canonical: string | null
  subscribed_at: Date
  confirmed_at: Date | null
  confirmation_sent_at: Date | null
}

interface WishlistEntriesTable {
  id: string
  customer_id: string
  product_id: string
  slug: string
  saved_under: string
  position: Generated<number>
  saved_at: Date
}

interface CredentialsTable {
  key: string
  sealed: string | null
  is_set: boolean
  updated_at: Date
  previous_sealed: string | null
  replaced_at: Date | null
}

export interface IdentitySchema {
  customers: CustomersTable
  addresses: AddressesTable
  admin_users: AdminUsersTable
  admin_second_factors: AdminSecondFactorsTable
  admin_recovery_codes: AdminRecoveryCodesTable
  admin_audit: AdminAuditTable
  attempts: AttemptsTable
  sessions: SessionsTable
  signing_keys: SigningKeysTable
  confirmations: ConfirmationsTable
  mail_link_key: MailLinkKeyTable
  password_reset_requests: PasswordResetRequestsTable
  recipient_mails: RecipientMailsTable
  newsletter_requests: NewsletterRequestsTable
  api_keys: ApiKeysTable
  newsletter_subscribers: NewsletterSubscribersTable
  wishlist_entries: WishlistEntriesTable
  credentials: CredentialsTable
}

export type Database = Kysely<IdentitySchema>
export type Tx = Transaction<IdentitySchema>
/** For reads that are correct inside a transaction and outside of one. */
export type Connection = Database | Tx
