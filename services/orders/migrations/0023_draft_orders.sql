-- Orders that a merchant makes for a buyer, who pays through a link. Its id is the id of the cart of the order that
-- it becomes, and a cart has one order: that makes two orders of one draft impossible.
create table draft_orders (
  id text primary key,
  status text not null check (status in ('open', 'sent', 'ordered', 'cancelled')),
  -- Counts the changes by merchants, for `If-Match`.
  version integer not null default 1,
  email text not null,
  -- The form in which addresses are compared; null while the address is not known.
  email_canonical text,
  shipping_address jsonb not null,
  shipping_method text not null,
  discount_code text not null,
  note text not null,
  -- Each with an id, which the line of the order gets.
  lines jsonb not null,
  -- What it cost when it was last saved or sent. Not jsonb, which loses the order of the options of a line.
  quote json not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of the current payment link. The token follows from the number, and only its digest is stored.
  link_number integer not null default 0,
  sent_at timestamptz,
  expires_at timestamptz,
  order_id text unique references orders
);
-- The list, with and without a status.
create index draft_orders_latest on draft_orders (created_at, id);
create index draft_orders_status on draft_orders (status, created_at, id);
-- Retention reads the oldest.
create index draft_orders_updated on draft_orders (updated_at);
-- The data of one person is deleted by address.
create index draft_orders_email on draft_orders (email_canonical) where email_canonical is not null;

-- The digests of the current link. There may be several: without SECRETS_KEY each process computes another token.
create table payment_links (
  token_hash bytea primary key,
  draft_id text not null references draft_orders on delete cascade
);
create index payment_links_draft on payment_links (draft_id);
