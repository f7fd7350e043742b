-- The schema "identity" after all migrations of packages/postgres and services/identity.
-- For reading; made by npm run schema.

CREATE OR REPLACE FUNCTION identity.plain_email_canonical(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when email collate "C" ~ '^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$'
    then lower(email collate "C")
  end
$function$;

CREATE OR REPLACE FUNCTION identity.set_email_canonical()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'identity', 'public'
AS $function$
declare
  canonical text := plain_email_canonical(new.email);
  is_taken boolean;
begin
  if canonical is null or canonical is not distinct from new.email_canonical then
    return new;
  end if;
  execute format('select exists (select from %I where email_canonical = $1 and id <> $2)', tg_table_name)
    into is_taken using canonical, new.id;
  new.email_canonical := case when is_taken then null else canonical end;
  return new;
end
$function$;

create table addresses (
  id text not null,
  customer_id text not null,
  "position" bigint not null generated always as identity,
  name text not null,
  line1 text not null,
  line2 text not null,
  city text not null,
  region text not null,
  postal_code text not null,
  country text not null,
  phone text not null,
  is_default boolean not null,
  constraint addresses_pkey PRIMARY KEY (id),
  constraint addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE
);
CREATE INDEX addresses_customer ON addresses USING btree (customer_id, "position");
CREATE UNIQUE INDEX addresses_one_default ON addresses USING btree (customer_id) WHERE is_default;

create table admin_audit (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  action text not null,
  outcome text not null,
  actor text,
  subject text,
  email text,
  fields text[] not null,
  address text not null,
  user_agent text,
  request_id text not null,
  constraint admin_audit_pkey PRIMARY KEY (id)
);
CREATE INDEX admin_audit_action ON admin_audit USING btree (action, id DESC);
CREATE INDEX admin_audit_action_latest ON admin_audit USING btree (action, at, id);
CREATE INDEX admin_audit_actor ON admin_audit USING btree (actor, id DESC);
CREATE INDEX admin_audit_actor_latest ON admin_audit USING btree (actor, at, id);
CREATE INDEX admin_audit_latest ON admin_audit USING btree (at, id);
CREATE INDEX admin_audit_unknown ON admin_audit USING btree (at) WHERE outcome = 'unknown'::text;

create table admin_recovery_codes (
  admin_user_id text not null,
  digest text not null,
  constraint admin_recovery_codes_pkey PRIMARY KEY (admin_user_id, digest),
  constraint admin_recovery_codes_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_second_factors(admin_user_id) ON DELETE CASCADE
);

create table admin_second_factors (
  admin_user_id text not null,
  secret text not null,
  sealed_with text not null,
  prepared_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null,
  constraint admin_second_factors_pkey PRIMARY KEY (admin_user_id),
  constraint admin_second_factors_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE,
  constraint admin_second_factors_sealed_with_check CHECK (sealed_with = ANY (ARRAY['nothing'::text, 'aes-256-gcm'::text]))
);

create table admin_users (
  id text not null,
  email text not null,
  password_hash text not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  email_canonical text,
  constraint admin_users_pkey PRIMARY KEY (id),
  constraint admin_users_role_check CHECK (role = ANY (ARRAY['owner'::text, 'merchandiser'::text, 'fulfilment'::text, 'support'::text]))
);
CREATE UNIQUE INDEX admin_users_email_canonical ON admin_users USING btree (email_canonical);
CREATE INDEX admin_users_unread_email ON admin_users USING btree (id) WHERE email_canonical IS NULL;

create table api_keys (
  id text not null,
  kind text not null,
  name text not null,
  permissions text[] not null,
  digest text,
  publishable_key text,
  hint text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  shared_at timestamp with time zone,
  maker_id text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_check CHECK ((kind = 'secret'::text) = (digest IS NOT NULL)),
  constraint api_keys_check1 CHECK ((kind = 'publishable'::text) = (publishable_key IS NOT NULL)),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['secret'::text, 'publishable'::text]))
);
CREATE UNIQUE INDEX api_keys_digest ON api_keys USING btree (digest);
CREATE INDEX api_keys_unshared ON api_keys USING btree (id) WHERE revoked_at IS NOT NULL AND shared_at IS NULL;

create table attempts (
  kind text not null,
  subject text not null,
  tried_at timestamp with time zone[] not null,
  refusals integer not null,
  last_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (kind, subject),
  constraint attempts_kind_check CHECK (kind = ANY (ARRAY['customer_password'::text, 'admin_password'::text, 'second_factor'::text]))
);
CREATE INDEX attempts_last_at ON attempts USING btree (last_at);

create table confirmations (
  id text not null,
  purpose text not null,
  customer_id text,
  email text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  email_canonical text,
  constraint confirmations_pkey PRIMARY KEY (id),
  constraint confirmations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE,
  constraint confirmations_check CHECK ((purpose = 'newsletter'::text) = (customer_id IS NULL)),
  constraint confirmations_purpose_check CHECK (purpose = ANY (ARRAY['newsletter'::text, 'emailVerification'::text, 'emailChange'::text, 'passwordReset'::text]))
);
CREATE INDEX confirmations_customer ON confirmations USING btree (customer_id, purpose, created_at) WHERE customer_id IS NOT NULL;
CREATE INDEX confirmations_expires_at ON confirmations USING btree (expires_at);
CREATE INDEX confirmations_newsletter_canonical ON confirmations USING btree (email_canonical) WHERE purpose = 'newsletter'::text;

create table credentials (
  key text not null,
  sealed text,
  is_set boolean not null,
  updated_at timestamp with time zone not null,
  previous_sealed text,
  replaced_at timestamp with time zone,
  constraint credentials_pkey PRIMARY KEY (key),
  constraint credentials_check CHECK (is_set OR sealed IS NULL)
);

create table customers (
  id text not null,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  marketing_opt_in boolean not null default false,
  email_verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  email_canonical text,
  unproven_password_hash text,
  constraint customers_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX customers_email_canonical ON customers USING btree (email_canonical);
CREATE INDEX customers_email_parts ON customers USING gin (lower(email) public.gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX customers_name_parts ON customers USING gin (lower((first_name || ' '::text) || last_name) public.gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX customers_newest ON customers USING btree (created_at DESC, id DESC);
CREATE INDEX customers_unread_email ON customers USING btree (id) WHERE email_canonical IS NULL;

create table former_actors (
  id text not null,
  kind text not null,
  name text,
  email text,
  gone_at timestamp with time zone not null,
  email_canonical text,
  constraint former_actors_pkey PRIMARY KEY (id),
  constraint former_actors_kind_check CHECK (kind = ANY (ARRAY['user'::text, 'key'::text]))
);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  given_up_at timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

create table mail_link_key (
  only_one boolean not null default true,
  secret text not null,
  sealed_with text not null,
  created_at timestamp with time zone not null,
  constraint mail_link_key_pkey PRIMARY KEY (only_one),
  constraint mail_link_key_only_one_check CHECK (only_one),
  constraint mail_link_key_sealed_with_check CHECK (sealed_with = ANY (ARRAY['nothing'::text, 'aes-256-gcm'::text]))
);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table newsletter_requests (
  id bigint not null generated always as identity,
  email text not null,
  requested_at timestamp with time zone not null,
  email_canonical text,
  senders text[] not null default '{}'::text[],
  constraint newsletter_requests_pkey PRIMARY KEY (id)
);

create table newsletter_subscribers (
  email text not null,
  subscribed_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  id text not null default ('sub_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  confirmation_sent_at timestamp with time zone,
  email_canonical text,
  constraint newsletter_subscribers_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX newsletter_subscribers_email_canonical ON newsletter_subscribers USING btree (email_canonical);
CREATE INDEX newsletter_subscribers_newest ON newsletter_subscribers USING btree (subscribed_at DESC, id DESC);
CREATE INDEX newsletter_subscribers_unconfirmed ON newsletter_subscribers USING btree (COALESCE(confirmation_sent_at, subscribed_at)) WHERE confirmed_at IS NULL;
CREATE INDEX newsletter_subscribers_unread_email ON newsletter_subscribers USING btree (id) WHERE email_canonical IS NULL;

create table outbox (
  id bigint not null generated always as identity,
  event_id text not null,
  name text not null,
  payload text not null,
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table password_reset_requests (
  id bigint not null generated always as identity,
  email text not null,
  requested_at timestamp with time zone not null,
  email_canonical text,
  senders text[] not null default '{}'::text[],
  constraint password_reset_requests_pkey PRIMARY KEY (id)
);

create table receipt_checks (
  consumer text not null,
  checked_until timestamp with time zone not null,
  constraint receipt_checks_pkey PRIMARY KEY (consumer)
);

create table recipient_mails (
  purpose text not null,
  recipient text not null,
  asked_at timestamp with time zone[] not null,
  last_at timestamp with time zone not null,
  constraint recipient_mails_pkey PRIMARY KEY (purpose, recipient),
  constraint recipient_mails_purpose_check CHECK (purpose = ANY (ARRAY['newsletter'::text, 'emailVerification'::text, 'emailChange'::text, 'passwordReset'::text]))
);
CREATE INDEX recipient_mails_last_at ON recipient_mails USING btree (last_at);

create table saved_views (
  id text not null,
  admin_user_id text not null,
  screen text not null,
  name text not null,
  name_key text not null,
  query text not null,
  created_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_admin_user_id_fkey FOREIGN KEY (admin_user_id) REFERENCES admin_users(id) ON DELETE CASCADE,
  constraint saved_views_screen_check CHECK (screen = ANY (ARRAY['orders'::text, 'products'::text, 'customers'::text, 'stock'::text, 'discounts'::text]))
);
CREATE UNIQUE INDEX saved_views_name ON saved_views USING btree (admin_user_id, screen, name_key);

create table sent_events (
  id bigint not null,
  event_id text not null,
  name text not null,
  payload text not null,
  sent_at timestamp with time zone not null default now(),
  constraint sent_events_pkey PRIMARY KEY (id)
);
CREATE INDEX sent_events_sent ON sent_events USING btree (sent_at);

create table sessions (
  id text not null,
  kind text not null,
  customer_id text,
  admin_user_id text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  shared_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE SET NULL,
  constraint sessions_check1 CHECK ((kind = 'admin'::text) = (admin_user_id IS NOT NULL)),
  constraint sessions_customer_named CHECK (
CASE
    WHEN kind = 'customer'::text THEN customer_id IS NOT NULL OR revoked_at IS NOT NULL
    ELSE customer_id IS NULL
END),
  constraint sessions_kind_check CHECK (kind = ANY (ARRAY['customer'::text, 'admin'::text]))
);
CREATE INDEX sessions_admin_user ON sessions USING btree (admin_user_id) WHERE admin_user_id IS NOT NULL;
CREATE INDEX sessions_customer_latest ON sessions USING btree (customer_id, created_at DESC, id DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX sessions_customer_open ON sessions USING btree (customer_id, created_at DESC, id DESC) WHERE customer_id IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX sessions_revoked ON sessions USING btree (id) WHERE revoked_at IS NOT NULL;
CREATE INDEX sessions_unshared ON sessions USING btree (id) WHERE revoked_at IS NOT NULL AND shared_at IS NULL;

create table signing_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_key text,
  sealed_with text not null,
  created_at timestamp with time zone not null,
  signs_from timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (kid),
  constraint signing_keys_sealed_with_check CHECK (sealed_with = ANY (ARRAY['nothing'::text, 'aes-256-gcm'::text]))
);

create table wishlist_entries (
  id text not null,
  customer_id text not null,
  product_id text not null,
  slug text not null,
  saved_under text not null,
  saved_at timestamp with time zone not null,
  "position" bigint not null generated always as identity,
  constraint wishlist_entries_pkey PRIMARY KEY (id),
  constraint wishlist_entries_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX wishlist_entries_product ON wishlist_entries USING btree (customer_id, product_id);

CREATE TRIGGER set_email_canonical BEFORE INSERT OR UPDATE OF email ON admin_users FOR EACH ROW EXECUTE FUNCTION set_email_canonical();

CREATE TRIGGER set_email_canonical BEFORE INSERT OR UPDATE OF email ON customers FOR EACH ROW EXECUTE FUNCTION set_email_canonical();

CREATE TRIGGER set_email_canonical BEFORE INSERT OR UPDATE OF email ON newsletter_subscribers FOR EACH ROW EXECUTE FUNCTION set_email_canonical();

-- The service may select, insert, update and delete in every table, but:
--   migrations: the service may select
