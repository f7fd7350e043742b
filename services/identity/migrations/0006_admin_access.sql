alter table admin_users
  -- A disabled user keeps the account and cannot sign in.
  add column disabled_at timestamptz,
  add column last_sign_in_at timestamptz;

-- Sessions outlive the user they belonged to: ended with the account, they must still be there for a Redis that was away
-- at that moment. They go like all others, a day after their end.
alter table sessions drop constraint sessions_admin_user_id_fkey;

create table admin_second_factors (
  admin_user_id text primary key references admin_users on delete cascade,
  secret text not null,
  sealed_with text not null check (sealed_with in ('nothing', 'aes-256-gcm')),
  prepared_at timestamptz not null,
  -- Null while it is prepared only: it is asked for at no sign-in.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was used last, counted from 1970: neither that code nor an older one is good any more.
  last_step bigint not null
);

-- Digests of codes with 100 random bits. A code that was used is gone.
create table admin_recovery_codes (
  admin_user_id text not null references admin_second_factors on delete cascade,
  digest text not null,
  primary key (admin_user_id, digest)
);

-- Tries at a password or a code that were not right, or are still being looked at.
create table attempts (
  kind text not null check (kind in ('customer_password', 'admin_password', 'second_factor')),
  -- SHA-256 of whom it is about, who need not exist.
  subject text not null,
  -- No more of them than are allowed.
  tried_at timestamptz[] not null,
  -- How many were refused since the last that was not.
  refusals integer not null,
  last_at timestamptz not null,
  primary key (kind, subject)
);
-- The clean-up of old attempts reads by age.
create index attempts_last_at on attempts (last_at);

-- Who signed in, or tried to, and who changed what about admin users and keys. It holds names of fields and no values.
create table admin_audit (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  action text not null,
  outcome text not null,
  -- Id of the admin user or of the secret key; null when nobody proved to be one.
  actor text,
  subject text,
  email text,
  fields text[] not null,
  address text not null,
  user_agent text,
  request_id text not null
);
-- Lists filtered by who or what, the latest first.
create index admin_audit_actor on admin_audit (actor, id desc);
create index admin_audit_action on admin_audit (action, id desc);
-- The clean-up reads by age, and so do lists of a period.
create index admin_audit_at on admin_audit (at);
