-- What happened to an order since it was placed.
alter table orders
  -- Why a person has to look at it; see OrderAttention in packages/contracts.
  add column attention text check (attention in ('out_of_stock', 'amount_mismatch', 'refund_due')),
  -- { carrier, code, url }
  add column tracking jsonb,
  -- Minor units: what came in for this order, and what of it went back for sure.
  add column captured_minor bigint not null default 0 check (captured_minor >= 0),
  add column refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  -- When its goods went back on sale, which happens once.
  add column restocked_at timestamptz,
  -- The use of a discount code that it stands on.
  add column discount_claim text,
  -- The idempotency key with which a merchant placed it.
  add column placement_key text;
-- An order whose money came for goods that were gone stands on no hold.
alter table orders alter column claim drop not null;
-- The same key places nothing twice (specification, admin rule 2).
create unique index orders_placement_key on orders (placement_key) where placement_key is not null;
-- Other ids of the cart that became an order: guests' carts that were merged into it. Whoever checks one of them out again
-- finds the order.
create table order_carts (
  cart_id text primary key,
  order_id text not null references orders on delete cascade
);
create index order_carts_order on order_carts (order_id);

-- A checkout that waits for its buyer at a payment provider. It holds goods, and keeps everything the order will be made of:
-- the money may come when the cart is long gone.
create table payment_sessions (
  id text primary key,
  -- The id that the order will have, so that it can be named before it is there.
  order_id text not null unique,
  -- The cart that is sold, and the one that was asked for when it was merged into it.
  cart_id text not null,
  asked_cart_id text not null,
  provider text not null,
  -- The provider's name for it, and where the buyer pays; not known before the provider answered.
  provider_session text,
  url text,
  -- `creating`: the provider is being asked. `superseded`: the cart was checked out again with something else in it.
  status text not null
    check (status in ('creating', 'open', 'completed', 'cancelled', 'expired', 'failed', 'superseded')),
  customer_id text,
  email text not null,
  -- Lines, amounts and address as they were quoted.
  document jsonb not null,
  number_prefix text not null,
  -- Digest of what was asked for: the same again gets the same page.
  request_hash bytea not null,
  claim text,
  discount_claim text,
  -- Hashes of the secrets that will open the order.
  secret_hashes bytea[] not null,
  success_url text,
  cancel_url text,
  created_at timestamptz not null,
  -- Nobody can pay there after this; the goods are held a little longer.
  expires_at timestamptz not null
);
-- One cart waits at one place. Whatever else was begun for it is ended first.
create unique index payment_sessions_waiting on payment_sessions (cart_id) where status in ('creating', 'open');
create unique index payment_sessions_provider on payment_sessions (provider, provider_session)
  where provider_session is not null;
create index payment_sessions_due on payment_sessions (expires_at) where status in ('creating', 'open');
create index payment_sessions_created on payment_sessions (created_at);

-- Money as providers tell of it. A captured payment belongs to one order, or goes back.
create table payments (
  provider text not null,
  -- The provider's name for it; a refund needs it.
  reference text not null,
  order_id text references orders,
  session_id text references payment_sessions,
  status text not null check (status in ('authorized', 'captured', 'failed')),
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  method text,
  received_at timestamptz not null,
  primary key (provider, reference)
);
create index payments_order on payments (order_id);
create index payments_received on payments (received_at);

create table refunds (
  id text primary key,
  order_id text not null references orders,
  provider text not null,
  -- The payment it is taken from.
  payment_reference text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text,
  -- What the merchant wants to become of the goods, if he said so.
  restock boolean,
  restocked boolean not null default false,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- The provider's name for the refund.
  reference text,
  -- Gives back a payment that came beside the order's own, and takes nothing off the order.
  of_duplicate boolean not null default false,
  created_at timestamptz not null,
  settled_at timestamptz,
  attempts integer not null default 0,
  -- While one copy of the service talks to the provider, no other does: its lease ends at this time.
  next_attempt_at timestamptz,
  last_error text
);
create index refunds_order on refunds (order_id, created_at);
create index refunds_due on refunds (next_attempt_at) where status = 'pending';
create unique index refunds_reference on refunds (provider, reference) where reference is not null;

-- What providers sent, as they sent it, stored before they get an answer.
create table provider_events (
  provider text not null,
  -- The provider's name for the event: it comes more than once and counts once.
  event_id text not null,
  type text not null,
  payload bytea not null,
  received_at timestamptz not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
  attempts integer not null default 0,
  -- When it is worked off next, or how long the copy that does so has for it.
  next_attempt_at timestamptz not null,
  last_error text,
  primary key (provider, event_id)
);
create index provider_events_due on provider_events (next_attempt_at) where status = 'pending';
create index provider_events_received on provider_events (received_at);

-- What happened to an order, in the order it happened, and who did it.
create table order_timeline (
  id bigint generated always as identity primary key,
  order_id text not null references orders,
  at timestamptz not null,
  kind text not null,
  -- Id of the admin user or of the secret key; nobody when it happened by itself.
  actor text,
  detail jsonb not null default '{}'
);
create index order_timeline_order on order_timeline (order_id, id);
comment on table order_timeline is 'append only';

-- Answers to requests with an Idempotency-Key, kept for a day.
create table idempotency_keys (
  -- SHA-256 of who asks, what for, and the key.
  id bytea primary key,
  request_hash bytea not null,
  -- While there is no answer: until when the first request may still be at work.
  started_at timestamptz not null,
  lease_until timestamptz not null,
  -- Sealed where there is a SECRETS_KEY, because it may open an order.
  answer text
);
create index idempotency_keys_started on idempotency_keys (started_at);
