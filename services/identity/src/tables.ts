// The tables of the schema "identity" after all migrations; made by npm run schema.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface IdentityTables {
  addresses: {
    id: string
    customer_id: string
    position: GeneratedAlways<number>
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
  admin_audit: {
    id: GeneratedAlways<number>
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
  admin_recovery_codes: {
    admin_user_id: string
    digest: string
  }
  admin_second_factors: {
    admin_user_id: string
    secret: string
    sealed_with: 'nothing' | 'aes-256-gcm'
    prepared_at: Date
    confirmed_at: Date | null
    last_step: number
  }
  admin_users: {
    id: string
    email: string
    password_hash: string
    name: string
    role: 'owner' | 'merchandiser' | 'fulfilment' | 'support'
    created_at: Date
    disabled_at: Date | null
    last_sign_in_at: Date | null
    email_canonical: string | null
  }
  api_keys: {
    id: string
    kind: 'secret' | 'publishable'
    name: string
    permissions: string[]
    digest: string | null
    publishable_key: string | null
    hint: string
    created_at: Date
    created_by: string
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
    shared_at: Date | null
    maker_id: string | null
  }
  attempts: {
    kind: 'customer_password' | 'admin_password' | 'second_factor'
    subject: string
    tried_at: Date[]
    refusals: number
    last_at: Date
  }
  confirmations: {
    id: string
    purpose: 'newsletter' | 'emailVerification' | 'emailChange' | 'passwordReset'
    customer_id: string | null
    email: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
    email_canonical: string | null
  }
  credentials: {
    key: string
    sealed: string | null
    is_set: boolean
    updated_at: Date
    previous_sealed: string | null
    replaced_at: Date | null
  }
  customers: {
    id: string
    email: string
    password_hash: string
    first_name: string
    last_name: string
    phone: string | null
    marketing_opt_in: Generated<boolean>
    email_verified_at: Date | null
    created_at: Date
    email_canonical: string | null
    unproven_password_hash: string | null
  }
  former_actors: {
    id: string
    kind: 'user' | 'key'
    name: string | null
    email: string | null
    gone_at: Date
    email_canonical: string | null
  }
  mail_link_key: {
    only_one: Generated<boolean>
    secret: string
    sealed_with: 'nothing' | 'aes-256-gcm'
    created_at: Date
  }
  newsletter_requests: {
    id: GeneratedAlways<number>
    email: string
    requested_at: Date
    email_canonical: string | null
    senders: Generated<string[]>
  }
  newsletter_subscribers: {
    email: string
    subscribed_at: Date
    confirmed_at: Date | null
    id: Generated<string>
    confirmation_sent_at: Date | null
    email_canonical: string | null
  }
  password_reset_requests: {
    id: GeneratedAlways<number>
    email: string
    requested_at: Date
    email_canonical: string | null
    senders: Generated<string[]>
  }
  recipient_mails: {
    purpose: 'newsletter' | 'emailVerification' | 'emailChange' | 'passwordReset'
    recipient: string
    asked_at: Date[]
    last_at: Date
  }
  saved_views: {
    id: string
    admin_user_id: string
    screen: 'orders' | 'products' | 'customers' | 'stock' | 'discounts'
    name: string
    name_key: string
    query: string
    created_at: Date
  }
  sessions: {
    id: string
    kind: 'customer' | 'admin'
    customer_id: string | null
    admin_user_id: string | null
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
    shared_at: Date | null
  }
  signing_keys: {
    kid: string
    public_jwk: ColumnType<unknown, string, string>
    private_key: string | null
    sealed_with: 'nothing' | 'aes-256-gcm'
    created_at: Date
    signs_from: Date
    retired_at: Date | null
  }
  wishlist_entries: {
    id: string
    customer_id: string
    product_id: string
    slug: string
    saved_under: string
    saved_at: Date
    position: GeneratedAlways<number>
  }
}
