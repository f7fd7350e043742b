-- What the link of a mail does, once. The secret in the link is not here: it is computed from the id.
create table confirmations (
  id text primary key,
  purpose text not null check (purpose in ('newsletter', 'emailVerification', 'emailChange', 'passwordReset')),
  customer_id text references customers on delete cascade,
  -- Where the mail went: what the click proves.
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Also set when something else made the link void.
  used_at timestamptz,
  check ((purpose = 'newsletter') = (customer_id is null))
);
-- How many mails an account asked for lately, voiding its links, and deleting it.
create index confirmations_customer on confirmations (customer_id, purpose, created_at) where customer_id is not null;
-- The clean-up reads by age.
create index confirmations_expires_at on confirmations (expires_at);

-- The key behind the secrets of all links. One row, whoever starts first.
create table mail_link_key (
  only_one boolean primary key default true check (only_one),
  secret text not null,
  sealed_with text not null check (sealed_with in ('nothing', 'aes-256-gcm')),
  created_at timestamptz not null
);

-- Who forgot a password, to be looked at after the answer: its time must not tell whether there is an account.
create table password_reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  requested_at timestamptz not null
);

-- The default is for rows that were there, and for the code of the version before.
alter table newsletter_subscribers
  add column id text not null default 'sub_' || replace(gen_random_uuid()::text, '-', ''),
  -- When the last mail that asks for a confirmation was asked for.
  add column confirmation_sent_at timestamptz;
alter table newsletter_subscribers add primary key (id);
-- The merchant's list, newest first.
create index newsletter_subscribers_newest on newsletter_subscribers (subscribed_at desc, id desc);

-- The merchant's list, newest first.
create index customers_newest on customers (created_at desc, id desc);
