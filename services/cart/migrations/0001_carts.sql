-- A cart is one row: every mutation replaces its lines, and `version` tells when somebody else was faster.
create table carts (
  id text primary key,
  -- The customer who touched it while signed in; nobody else sees it then.
  customer_id text,
  status text not null default 'open' check (status in ('open', 'converted')),
  lines jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 70); -- Room on the page, so that a changed cart touches no index.
create index carts_customer on carts (customer_id, created_at desc) where status = 'open' and customer_id is not null;
create index carts_expired on carts (expires_at);
