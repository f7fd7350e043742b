-- What the people of a shop keep about an order, and what they print of it.

alter table orders
  -- Words of the merchant, as they were typed.
  add column tags text[] not null default '{}',
  -- The same in lower case, which filters compare.
  add column tag_keys text[] not null default '{}';
-- The list of orders with a tag. An order is placed without tags, and then costs this index nothing.
create index orders_tags on orders using gin (tag_keys) with (fastupdate = off) where tag_keys <> '{}';

-- The text of a note. Its time and its author stand in the timeline, which never changes: a note that is deleted leaves no text.
create table order_notes (
  id text primary key,
  order_id text not null references orders on delete cascade,
  -- Id of the admin user or of the secret key.
  author text not null,
  text text not null
);
-- Counts the notes of one order.
create index order_notes_order on order_notes (order_id);

-- An invoice keeps its number, its date and its seller. Its lines are those of the order, which never change.
create table invoices (
  order_id text primary key references orders,
  number bigint not null unique check (number > 0),
  issued_at timestamptz not null,
  -- What it says about the shop: ShopDetails of src/documents/shop-details.ts.
  shop jsonb not null
);
comment on table invoices is 'append only';

-- The last number that was given. A sequence would leave gaps where a transaction is rolled back.
create table invoice_counter (
  only_row boolean primary key default true check (only_row),
  last_number bigint not null
);
