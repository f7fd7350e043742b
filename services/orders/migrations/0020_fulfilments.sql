-- Parcels: pieces of an order that were sent together, with a tracking of their own (docs/decisions/0081).
create table fulfilments (
  -- In the order in which they were sent.
  number bigint generated always as identity,
  id text primary key,
  order_id text not null references orders on delete cascade,
  created_at timestamptz not null,
  -- Ids of lines of the order, and how many pieces of each.
  lines jsonb not null,
  tracking jsonb
);
-- The parcels of an order are read with it.
create index fulfilments_order on fulfilments (order_id);
