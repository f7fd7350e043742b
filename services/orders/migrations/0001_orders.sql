create sequence order_numbers start 10001;

create table orders (
  id text primary key,
  number text not null unique,
  -- One order a cart: whoever comes second finds this one.
  cart_id text not null unique,
  customer_id text,
  email text not null,
  status text not null check (status in ('placed', 'paid', 'fulfilled', 'delivered', 'cancelled')),
  placed_at timestamptz not null,
  -- Lines, amounts and address as they were sold; never changed afterwards.
  document jsonb not null,
  payment_provider text not null,
  payment_status text not null
    check (payment_status in ('pending', 'authorized', 'captured', 'failed', 'partially_refunded', 'refunded')),
  payment_method text,
  payment_reference text,
  -- The hold in catalog that this order was sold from.
  claim text not null
);
create index orders_customer on orders (customer_id, placed_at desc) where customer_id is not null;

-- What became of each hold that catalog made. A claim is written once: either the order stands on it or it was given up.
-- That makes a deadline in catalog and a slow checkout here exclude each other (docs/decisions/0003).
create table claims (
  claim text primary key,
  verdict text not null check (verdict in ('ordered', 'abandoned')),
  decided_at timestamptz not null
);
create index claims_decided_at on claims (decided_at);

-- Hashes of the secrets that open an order for somebody who is not signed in: browser ids and access tokens.
create table order_capabilities (
  order_id text not null references orders on delete cascade,
  secret_hash bytea not null,
  primary key (order_id, secret_hash)
);
