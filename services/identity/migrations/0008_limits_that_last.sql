-- Mails with links that somebody had sent to an address. It outlives accounts: whoever deletes one and makes it anew may
-- not begin to count anew.
create table recipient_mails (
  -- What they were about.
  purpose text not null check (purpose in ('newsletter', 'emailVerification', 'emailChange', 'passwordReset')),
  -- SHA-256 of the address, which need not belong to anybody who is known here.
  recipient text not null,
  -- Those of the last day; no more of them than are allowed.
  asked_at timestamptz[] not null,
  last_at timestamptz not null,
  primary key (purpose, recipient)
);
-- The clean-up reads by age.
create index recipient_mails_last_at on recipient_mails (last_at);

-- Who wants the newsletter, to be looked at after the answer: its time must not tell who has it already.
create table newsletter_requests (
  id bigint generated always as identity primary key,
  email text not null,
  requested_at timestamptz not null
);

-- The clean-up of those who never confirmed reads by age.
create index newsletter_subscribers_unconfirmed
  on newsletter_subscribers (coalesce(confirmation_sent_at, subscribed_at)) where confirmed_at is null;

-- Deleting an account takes the links of its address along, which have no account of their own.
create index confirmations_newsletter on confirmations (lower(email)) where purpose = 'newsletter';

-- The latest sessions of a customer, for the own data; it serves for whatever else is about one customer as well.
create index sessions_customer_latest on sessions (customer_id, created_at desc, id desc) where customer_id is not null;
drop index sessions_customer;
-- How many are open, at every sign-in.
create index sessions_customer_open on sessions (customer_id, created_at desc, id desc)
  where customer_id is not null and revoked_at is null;
