-- What is there and how much of it is promised. The check has the last word against overselling.
-- Rows outlive their variant, because a reservation or an order may still refer to them.
create table stock (
  variant_id text primary key,
  product_id text not null,
  on_hand integer not null check (on_hand >= 0),
  reserved integer not null check (reserved >= 0),
  -- Counts every change: a reader drops what is older than what it has.
  version bigint not null default 1,
  -- The quantity of the last inventory.updated, so that only a change is announced.
  announced integer,
  constraint never_oversold check (reserved <= on_hand)
) with (fillfactor = 50); -- Room on the page, so that the updates of a hot size touch no index.

-- Every change of stock, in the order it happened. The sums of the deltas are the row in `stock`.
create table stock_movements (
  id bigint generated always as identity primary key,
  variant_id text not null,
  on_hand_delta integer not null,
  reserved_delta integer not null,
  kind text not null check (kind in ('set', 'adjusted', 'reserved', 'released', 'sold', 'returned')),
  -- The claim of a reservation, or what the merchant gave as the reason.
  reference text,
  operation_id text,
  at timestamptz not null
);
create index stock_movements_variant on stock_movements (variant_id, id);
-- An operation id counts once a variant: a replay changes nothing (specification, admin rule 3).
create unique index stock_movements_operation on stock_movements (variant_id, operation_id) where operation_id is not null;
comment on table stock_movements is 'append only';

-- Goods held for a checkout. `generation` counts the holds of one reservation id: each has a claim of its own.
create table reservations (
  id text primary key,
  generation integer not null,
  status text not null check (status in ('held', 'sold', 'released')),
  lines jsonb not null,
  expires_at timestamptz not null
);
create index reservations_due on reservations (expires_at) where status = 'held';

-- Units sold a day, for "bought in the last 30 days" and the best-sellers.
create table daily_sales (
  product_id text not null,
  day date not null,
  units integer not null,
  primary key (product_id, day)
);

-- Products whose stored answers are older than their stock. Rows are added without looking whether one is there:
-- a unique row would make reservations wait for the refresh.
create table refresh_queue (
  id bigint generated always as identity primary key,
  product_id text not null
);
