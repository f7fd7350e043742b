-- The books of the demo provider, which stands for a company outside: checkouts know it by its interface alone.
create table demo_sessions (
  -- Whoever knows it may pay there.
  id text primary key,
  -- The shop's name for it. Asked for again, it is the same session.
  session_id text not null unique,
  order_id text not null,
  total_minor bigint not null check (total_minor >= 0),
  currency text not null,
  email text not null,
  description text not null,
  store_name text not null,
  success_url text,
  cancel_url text,
  created_at timestamptz not null,
  -- Nobody can pay after this.
  expires_at timestamptz not null,
  -- A `declined` one may be tried again; `closed` are those that the shop ended, or time.
  status text not null default 'open' check (status in ('open', 'paid', 'declined', 'cancelled', 'closed')),
  payment_reference text,
  check ((status = 'paid') = (payment_reference is not null))
);
-- What is old enough to be forgotten.
create index demo_sessions_expired on demo_sessions (expires_at);

create table demo_refunds (
  -- The shop's name for it: asked for twice, the money goes back once.
  id text primary key,
  reference text not null,
  payment_reference text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  created_at timestamptz not null
);
