create table customers (
  id text primary key,
  -- As the customer typed it, trimmed; compared without regard to case.
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  marketing_opt_in boolean not null default false,
  email_verified_at timestamptz,
  created_at timestamptz not null
);
-- Of two registrations at the same moment one fails here, whatever the code looked up before.
create unique index customers_email on customers (lower(email));

create table addresses (
  id text primary key,
  customer_id text not null references customers on delete cascade,
  -- Order in which the customer added them.
  position bigint generated always as identity,
  name text not null,
  line1 text not null,
  line2 text not null,
  city text not null,
  region text not null,
  postal_code text not null,
  country text not null,
  phone text not null,
  is_default boolean not null
);
create index addresses_customer on addresses (customer_id, position);
-- Never two defaults, even if a writer forgets to lock the customer.
create unique index addresses_one_default on addresses (customer_id) where is_default;

create table admin_users (
  id text primary key,
  email text not null,
  password_hash text not null,
  name text not null,
  role text not null check (role in ('owner', 'merchandiser', 'fulfilment', 'support')),
  created_at timestamptz not null
);
create unique index admin_users_email on admin_users (lower(email));

create table sessions (
  id text primary key,
  kind text not null check (kind in ('customer', 'admin')),
  customer_id text references customers on delete cascade,
  admin_user_id text references admin_users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- When Redis was last told of the revocation. Null on a revoked session: Redis does not know yet.
  shared_at timestamptz,
  check ((kind = 'customer') = (customer_id is not null)),
  check ((kind = 'admin') = (admin_user_id is not null))
);
-- Signing out everywhere, and deleting an account.
create index sessions_customer on sessions (customer_id) where customer_id is not null;
create index sessions_admin_user on sessions (admin_user_id) where admin_user_id is not null;
-- The clean-up of old sessions reads by age.
create index sessions_expires_at on sessions (expires_at);
-- Read every few seconds and nearly always empty.
create index sessions_unshared on sessions (id) where revoked_at is not null and shared_at is null;

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- Dropped when the key is retired: it never signs again, and verifying needs only the public half.
  private_key text,
  sealed_with text not null check (sealed_with in ('nothing', 'aes-256-gcm')),
  created_at timestamptz not null,
  -- A new key is published before it signs, so that nobody meets a token of a key they could not know.
  signs_from timestamptz not null,
  retired_at timestamptz
);

create table newsletter_subscribers (
  email text not null,
  subscribed_at timestamptz not null,
  confirmed_at timestamptz
);
create unique index newsletter_subscribers_email on newsletter_subscribers (lower(email));
