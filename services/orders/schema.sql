-- The schema "orders" after all migrations of packages/chassis and services/orders.
-- For reading; made by npm run schema.

create sequence order_numbers start 10001;

create table claims (
  claim text not null,
  verdict text not null,
  decided_at timestamp with time zone not null,
  constraint claims_pkey PRIMARY KEY (claim),
  constraint claims_verdict_check CHECK (verdict = ANY (ARRAY['ordered'::text, 'abandoned'::text]))
);
CREATE INDEX claims_decided_at ON claims USING btree (decided_at);

create table customer_emails (
  email text not null,
  verified_at timestamp with time zone not null,
  customer_id text not null,
  constraint customer_emails_pkey PRIMARY KEY (email, verified_at, customer_id)
);
CREATE INDEX customer_emails_customer ON customer_emails USING btree (customer_id);

create table former_customers (
  customer_id text not null,
  deleted_at timestamp with time zone not null,
  constraint former_customers_pkey PRIMARY KEY (customer_id)
);

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

create table order_capabilities (
  order_id text not null,
  secret_hash bytea not null,
  constraint order_capabilities_pkey PRIMARY KEY (order_id, secret_hash),
  constraint order_capabilities_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);

create table orders (
  id text not null,
  number text not null,
  cart_id text not null,
  customer_id text,
  email text not null,
  status text not null,
  placed_at timestamp with time zone not null,
  document jsonb not null,
  payment_provider text not null,
  payment_status text not null,
  payment_method text,
  payment_reference text,
  claim text not null,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_cart_id_key UNIQUE (cart_id),
  constraint orders_number_key UNIQUE (number),
  constraint orders_payment_status_check CHECK (payment_status = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'failed'::text, 'partially_refunded'::text, 'refunded'::text])),
  constraint orders_status_check CHECK (status = ANY (ARRAY['placed'::text, 'paid'::text, 'fulfilled'::text, 'delivered'::text, 'cancelled'::text]))
);
CREATE INDEX orders_customer ON orders USING btree (customer_id, placed_at DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX orders_guest_email ON orders USING btree (lower(email), placed_at DESC) WHERE customer_id IS NULL;

create table outbox (
  id bigint not null generated always as identity,
  event_id text not null,
  name text not null,
  payload text not null,
  constraint outbox_pkey PRIMARY KEY (id)
);

-- The service may select, insert, update and delete in every table, but:
--   migrations: the service may select
