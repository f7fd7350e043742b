-- The schema "cart" after all migrations of packages/chassis and services/cart.
-- For reading; made by npm run schema.

create table cart_aliases (
  alias text not null,
  cart_id text not null,
  ordered boolean not null default false,
  constraint cart_aliases_pkey PRIMARY KEY (alias),
  constraint cart_aliases_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES carts(id) ON DELETE CASCADE
);
CREATE INDEX cart_aliases_cart ON cart_aliases USING btree (cart_id);

create table carts (
  id text not null,
  customer_id text,
  status text not null default 'open'::text,
  lines jsonb not null default '[]'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  quoted_at timestamp with time zone,
  constraint carts_pkey PRIMARY KEY (id),
  constraint carts_status_check CHECK (status = ANY (ARRAY['open'::text, 'converted'::text]))
) with (fillfactor=70);
CREATE INDEX carts_customer ON carts USING btree (customer_id, created_at DESC) WHERE status = 'open'::text AND customer_id IS NOT NULL;
CREATE INDEX carts_expired ON carts USING btree (expires_at);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  constraint inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table outbox (
  id bigint not null generated always as identity,
  event_id text not null,
  name text not null,
  payload text not null,
  constraint outbox_pkey PRIMARY KEY (id)
);

-- The service may select, insert, update and delete in every table, but:
--   migrations: the service may select
