-- Everyone who has ordered, by email address, with totals (docs/decisions/0084). They follow from the orders, and are kept in tables of
-- their own: sorting 200,000 orders by what their buyers have paid would take a second for each page.

create extension if not exists pg_trgm with schema public;

-- Orders that may have changed a buyer and are not counted yet, in the transaction of their change. No checkout waits for the row of a
-- buyer: src/buyers/fold-buyers.ts counts and deletes them.
create table buyer_changes (
  id bigint generated always as identity primary key,
  order_id text not null
);

create table buyers (
  id text primary key default 'buyer_' || replace(gen_random_uuid()::text, '-', ''),
  email_canonical text not null unique,
  -- Of the latest order: the address as it was typed, the name of the recipient, and the currency.
  email text not null,
  name text not null,
  currency text not null,
  -- Of the latest order that was placed by an account.
  customer_id text,
  -- Without cancelled ones.
  orders integer not null,
  -- What was paid less what was refunded, in minor units: in that currency, and in each.
  revenue_minor bigint not null,
  revenues jsonb not null,
  first_order_at timestamptz not null,
  last_order_at timestamptz not null,
  -- Words of the merchant, and their form for comparison.
  tags text[] not null default '{}',
  tag_keys text[] not null default '{}'
);
-- Each sort of the list; whether a buyer is a guest is read from the index as well.
create index buyers_by_last_order on buyers (last_order_at, id) include (customer_id);
create index buyers_by_orders on buyers (orders, id) include (customer_id);
create index buyers_by_revenue on buyers (revenue_minor, id) include (customer_id);
create index buyers_customer on buyers (customer_id) where customer_id is not null;
-- A part of the address or the name. Each order rewrites the entries of its buyer, which the pending list collects.
create index buyers_parts on buyers using gin (lower(email || ' ' || name) public.gin_trgm_ops)
  with (gin_pending_list_limit = 512);
create index buyers_tags on buyers using gin (tag_keys) with (fastupdate = off) where tag_keys <> '{}';

-- What each order has added to its buyer, so that a change of it can be counted again at any time.
create table buyer_orders (
  order_id text primary key references orders on delete cascade,
  -- Of its buyer.
  email_canonical text not null,
  placed_at timestamptz not null,
  customer_id text,
  counts boolean not null,
  currency text not null,
  revenue_minor bigint not null
);
create index buyer_orders_buyer on buyer_orders (email_canonical, placed_at, order_id);

-- What people of the shop write about a buyer. Unlike that of an order, a deleted note leaves only an entry in the audit.
create table buyer_notes (
  id text primary key,
  buyer_id text not null references buyers on delete cascade,
  at timestamptz not null,
  author text not null,
  text text not null
);
create index buyer_notes_buyer on buyer_notes (buyer_id, at);

-- Triggers, because the version before runs for a while beside the next one and does not know these tables.
create function queue_buyer_change() returns trigger language plpgsql set search_path from current as $$
begin
  insert into buyer_changes (order_id) values (new.id);
  return null;
end
$$;
create trigger queue_new_buyer after insert on orders for each row execute function queue_buyer_change();
create trigger queue_changed_buyer
  after update of status, email, email_canonical, customer_id, captured_minor, refunded_minor on orders for each row
  when (
    (new.status, new.email, new.email_canonical, new.customer_id, new.captured_minor, new.refunded_minor)
    is distinct from
    (old.status, old.email, old.email_canonical, old.customer_id, old.captured_minor, old.refunded_minor)
  )
  execute function queue_buyer_change();

-- Counted by the service while it runs, the latest first: of 200,000 orders these rows take half a second of processor time, and
-- counting them takes half a minute.
insert into buyer_changes (order_id) select id from orders order by placed_at;
