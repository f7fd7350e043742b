-- Alerts of shoppers: a mail when a sold-out variant can be bought again, or when the price of a product falls
-- (docs/decisions/0092).
create table alerts (
  id text primary key,
  kind text not null check (kind in ('back-in-stock', 'price-drop')),
  product_id text not null references products on delete cascade,
  -- Null in an alert about the price of the product.
  variant_id text references variants on delete cascade,
  -- In canonical form, and the mailbox that limits count.
  email text not null,
  mailbox text not null,
  -- A lower price is due for a mail; null in an alert about stock.
  price_minor bigint check (price_minor >= 0),
  currency text,
  created_at timestamptz not null,
  confirmation_sent_at timestamptz not null,
  -- How many mails have requested the confirmation.
  confirmations integer not null default 1,
  confirmed_at timestamptz,
  -- The mail that ends an alert about stock was requested.
  done_at timestamptz,
  check ((kind = 'back-in-stock') = (variant_id is not null)),
  check ((kind = 'price-drop') = (price_minor is not null and currency is not null))
);
-- An address waits for one thing once.
create unique index alerts_open on alerts (email, product_id, kind, coalesce(variant_id, '')) where done_at is null;
-- What waits for a variant, and for a lower price: read with every refresh of a product.
create index alerts_restock on alerts (variant_id, id) where confirmed_at is not null and done_at is null and variant_id is not null;
create index alerts_price on alerts (product_id, price_minor) where confirmed_at is not null and done_at is null and kind = 'price-drop';
-- For the deletion of a product or a variant, and for the limits and the data of an address.
create index alerts_of_product on alerts (product_id);
create index alerts_of_variant on alerts (variant_id) where variant_id is not null;
create index alerts_of_mailbox on alerts (mailbox, id);
-- The clean-up reads by age.
create index alerts_unconfirmed on alerts (confirmation_sent_at) where confirmed_at is null;
create index alerts_done on alerts (done_at) where done_at is not null;

-- Requests of shoppers, looked at after the response: its time must not tell whether the address is known.
create table alert_requests (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('back-in-stock', 'price-drop')),
  product_id text not null,
  variant_id text,
  email text not null,
  price_minor bigint not null,
  currency text not null,
  -- Digests of the clients that caused them.
  senders text[] not null,
  requested_at timestamptz not null
);

-- Products for which an alert may be due. Rows are added without looking whether one is there: a unique row would make
-- a refresh wait for the mails of another.
create table alert_checks (
  id bigint generated always as identity primary key,
  product_id text not null
);

-- The key of the tokens in mails about alerts. 244 random bits.
create table alert_link_key (
  only_one boolean primary key default true check (only_one),
  secret text not null
);
insert into alert_link_key (secret) values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
