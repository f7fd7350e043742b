-- The schema "orders" after all migrations of packages/postgres and services/orders.
-- For reading; made by npm run schema.

create sequence order_numbers start 10001;

CREATE OR REPLACE FUNCTION orders.count_begun_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  insert into sales_changes (day, currency, checkouts)
  select utc_day(new.placed_at), new.document #>> '{total,currency}', 1
  where new.document #>> '{total,currency}' is not null
    and not exists (select from payment_sessions where cart_id = new.cart_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.count_begun_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  insert into sales_changes (day, currency, checkouts)
  select utc_day(new.created_at), new.document #>> '{total,currency}', 1
  where new.document #>> '{total,currency}' is not null
    and not exists (select from payment_sessions where cart_id = new.cart_id and id <> new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.count_captured_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  insert into sales_changes (day, currency, revenue_minor, order_id)
  values (utc_day(new.at), new.detail->>'currency', (new.detail->>'amount')::bigint, new.order_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.count_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  if tg_op <> 'INSERT' then
    insert into order_count_changes (day, country, status, payment_status, attention, orders)
    values (utc_day(old.placed_at), old.country, old.status, old.payment_status, coalesce(old.attention, ''), -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count_changes (day, country, status, payment_status, attention, orders)
    values (utc_day(new.placed_at), new.country, new.status, new.payment_status, coalesce(new.attention, ''), 1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.count_refund()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  if tg_op = 'UPDATE' and old.status = 'succeeded' then
    insert into sales_changes (day, currency, refunded_minor)
    values (utc_day(coalesce(old.settled_at, old.created_at)), old.currency, -old.amount_minor);
  end if;
  if new.status = 'succeeded' then
    insert into sales_changes (day, currency, refunded_minor)
    values (utc_day(coalesce(new.settled_at, new.created_at)), new.currency, new.amount_minor);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.keep_order_search_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  -- The worker reads an order under a lock: where there is no row yet, it is going to write the new status itself.
  update order_search set flagged = new.attention is not null, placed_at = new.placed_at, status = new.status
  where order_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.plain_email_canonical(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when email collate "C" ~ '^[!-?A-~]{1,64}@([A-Za-z0-9](-?[A-Za-z0-9])*\.)+[A-Za-z](-?[A-Za-z0-9])*[A-Za-z0-9]$'
    then lower(email collate "C")
  end
$function$;

CREATE OR REPLACE FUNCTION orders.queue_buyer_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  insert into buyer_changes (order_id) values (new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.queue_order_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  insert into order_search_queue (order_id) values (new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION orders.set_email_canonical()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  new.email_canonical := coalesce(plain_email_canonical(new.email), new.email_canonical);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION orders.set_order_list_columns()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders', 'public'
AS $function$
begin
  new.country := upper(coalesce(new.document #>> '{shippingAddress,country}', ''));
  new.total_minor := coalesce((new.document #>> '{total,amount}')::bigint, 0);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION orders.utc_day(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (at at time zone 'utc')::date
$function$;

create table attempts (
  kind text not null,
  subject text not null,
  tried_at timestamp with time zone[] not null,
  refusals integer not null,
  last_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (kind, subject),
  constraint attempts_kind_check CHECK (kind = 'lookup'::text)
);
CREATE INDEX attempts_last_at ON attempts USING btree (last_at);

create table audit_entries (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  constraint audit_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entries_actor_latest ON audit_entries USING btree (actor, at, id);
CREATE INDEX audit_entries_latest ON audit_entries USING btree (at, id);
comment on table audit_entries is 'append only';

create table buyer_changes (
  id bigint not null generated always as identity,
  order_id text not null,
  constraint buyer_changes_pkey PRIMARY KEY (id)
);

create table buyer_notes (
  id text not null,
  buyer_id text not null,
  at timestamp with time zone not null,
  author text not null,
  text text not null,
  constraint buyer_notes_pkey PRIMARY KEY (id),
  constraint buyer_notes_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES buyers(id) ON DELETE CASCADE
);
CREATE INDEX buyer_notes_buyer ON buyer_notes USING btree (buyer_id, at);

create table buyer_orders (
  order_id text not null,
  email_canonical text not null,
  placed_at timestamp with time zone not null,
  customer_id text,
  counts boolean not null,
  currency text not null,
  revenue_minor bigint not null,
  constraint buyer_orders_pkey PRIMARY KEY (order_id),
  constraint buyer_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);
CREATE INDEX buyer_orders_buyer ON buyer_orders USING btree (email_canonical, placed_at, order_id);

create table buyers (
  id text not null default ('buyer_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  email_canonical text not null,
  email text not null,
  name text not null,
  currency text not null,
  customer_id text,
  orders integer not null,
  revenue_minor bigint not null,
  revenues jsonb not null,
  first_order_at timestamp with time zone not null,
  last_order_at timestamp with time zone not null,
  tags text[] not null default '{}'::text[],
  tag_keys text[] not null default '{}'::text[],
  constraint buyers_pkey PRIMARY KEY (id),
  constraint buyers_email_canonical_key UNIQUE (email_canonical)
);
CREATE INDEX buyers_by_last_order ON buyers USING btree (last_order_at, id) INCLUDE (customer_id);
CREATE INDEX buyers_by_orders ON buyers USING btree (orders, id) INCLUDE (customer_id);
CREATE INDEX buyers_by_revenue ON buyers USING btree (revenue_minor, id) INCLUDE (customer_id);
CREATE INDEX buyers_customer ON buyers USING btree (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX buyers_parts ON buyers USING gin (lower((email || ' '::text) || name) public.gin_trgm_ops) WITH (gin_pending_list_limit='512');
CREATE INDEX buyers_tags ON buyers USING gin (tag_keys) WITH (fastupdate=off) WHERE tag_keys <> '{}'::text[];

create table claims (
  claim text not null,
  verdict text not null,
  decided_at timestamp with time zone not null,
  constraint claims_pkey PRIMARY KEY (claim),
  constraint claims_verdict_check CHECK (verdict = ANY (ARRAY['ordered'::text, 'abandoned'::text]))
);
CREATE INDEX claims_decided ON claims USING btree (decided_at, claim);

create table customer_emails (
  email text not null,
  verified_at timestamp with time zone not null,
  customer_id text not null,
  constraint customer_emails_pkey PRIMARY KEY (email, verified_at, customer_id)
);
CREATE INDEX customer_emails_customer ON customer_emails USING btree (customer_id);
comment on column customer_emails.email is 'In canonical form. Empty for a proof that does not count any more: the customer has left the address before it all the same.';

create table deleted_customers (
  customer_id text not null,
  deleted_at timestamp with time zone not null,
  constraint deleted_customers_pkey PRIMARY KEY (customer_id)
);

create table deleted_sessions (
  session_id text not null,
  deleted_at timestamp with time zone not null,
  constraint deleted_sessions_pkey PRIMARY KEY (session_id)
);

create table demo_refunds (
  id text not null,
  reference text not null,
  payment_reference text not null,
  amount_minor bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  constraint demo_refunds_pkey PRIMARY KEY (id),
  constraint demo_refunds_amount_minor_check CHECK (amount_minor > 0)
);

create table demo_sessions (
  id text not null,
  session_id text not null,
  order_id text not null,
  total_minor bigint not null,
  currency text not null,
  email text not null,
  description text not null,
  store_name text not null,
  success_url text,
  cancel_url text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  status text not null default 'open'::text,
  payment_reference text,
  constraint demo_sessions_pkey PRIMARY KEY (id),
  constraint demo_sessions_session_id_key UNIQUE (session_id),
  constraint demo_sessions_check CHECK ((status = 'paid'::text) = (payment_reference IS NOT NULL)),
  constraint demo_sessions_status_check CHECK (status = ANY (ARRAY['open'::text, 'paid'::text, 'declined'::text, 'cancelled'::text, 'closed'::text])),
  constraint demo_sessions_total_minor_check CHECK (total_minor >= 0)
);
CREATE INDEX demo_sessions_expired ON demo_sessions USING btree (expires_at);

create table draft_orders (
  id text not null,
  status text not null,
  version integer not null default 1,
  email text not null,
  email_canonical text,
  shipping_address jsonb not null,
  shipping_method text not null,
  discount_code text not null,
  note text not null,
  lines jsonb not null,
  quote json not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  link_number integer not null default 0,
  sent_at timestamp with time zone,
  expires_at timestamp with time zone,
  order_id text,
  constraint draft_orders_pkey PRIMARY KEY (id),
  constraint draft_orders_order_id_key UNIQUE (order_id),
  constraint draft_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint draft_orders_status_check CHECK (status = ANY (ARRAY['open'::text, 'sent'::text, 'ordered'::text, 'cancelled'::text]))
);
CREATE INDEX draft_orders_email ON draft_orders USING btree (email_canonical) WHERE email_canonical IS NOT NULL;
CREATE INDEX draft_orders_latest ON draft_orders USING btree (created_at, id);
CREATE INDEX draft_orders_status ON draft_orders USING btree (status, created_at, id);
CREATE INDEX draft_orders_updated ON draft_orders USING btree (updated_at);

create table former_customers (
  customer_id text not null,
  deleted_at timestamp with time zone not null,
  constraint former_customers_pkey PRIMARY KEY (customer_id)
);

create table fulfilments (
  number bigint not null generated always as identity,
  id text not null,
  order_id text not null,
  created_at timestamp with time zone not null,
  lines jsonb not null,
  tracking jsonb,
  request_hash bytea,
  constraint fulfilments_pkey PRIMARY KEY (id),
  constraint fulfilments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);
CREATE INDEX fulfilments_order ON fulfilments USING btree (order_id);

create table idempotency_keys (
  id bytea not null,
  request_hash bytea not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  answer text,
  constraint idempotency_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX idempotency_keys_started ON idempotency_keys USING btree (started_at);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  given_up_at timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

create table invoice_counter (
  only_row boolean not null default true,
  last_number bigint not null,
  constraint invoice_counter_pkey PRIMARY KEY (only_row),
  constraint invoice_counter_only_row_check CHECK (only_row)
);

create table invoices (
  order_id text not null,
  number bigint not null,
  issued_at timestamp with time zone not null,
  shop jsonb not null,
  constraint invoices_pkey PRIMARY KEY (order_id),
  constraint invoices_number_key UNIQUE (number),
  constraint invoices_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint invoices_number_check CHECK (number > 0)
);
comment on table invoices is 'append only';

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table order_capabilities (
  order_id text not null,
  secret_hash bytea not null,
  constraint order_capabilities_pkey PRIMARY KEY (order_id, secret_hash)
);

create table order_carts (
  cart_id text not null,
  order_id text not null,
  constraint order_carts_pkey PRIMARY KEY (cart_id),
  constraint order_carts_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);
CREATE INDEX order_carts_order ON order_carts USING btree (order_id);

create table order_count_changes (
  id bigint not null generated always as identity,
  day date not null,
  country text not null,
  status text not null,
  payment_status text not null,
  attention text not null,
  orders integer not null,
  constraint order_count_changes_pkey PRIMARY KEY (id)
);

create table order_count_days (
  day date not null,
  country text not null,
  status text not null,
  payment_status text not null,
  attention text not null,
  orders integer not null,
  constraint order_count_days_pkey PRIMARY KEY (day, country, status, payment_status, attention)
);

create table order_count_totals (
  country text not null,
  status text not null,
  payment_status text not null,
  attention text not null,
  orders bigint not null,
  constraint order_count_totals_pkey PRIMARY KEY (country, status, payment_status, attention)
);

create table order_notes (
  id text not null,
  order_id text not null,
  author text not null,
  text text not null,
  constraint order_notes_pkey PRIMARY KEY (id),
  constraint order_notes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
);
CREATE INDEX order_notes_order ON order_notes USING btree (order_id);

create table order_search (
  order_id text not null,
  flagged boolean not null,
  placed_at timestamp with time zone not null,
  status text not null,
  words tsvector not null,
  constraint order_search_pkey PRIMARY KEY (order_id),
  constraint order_search_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) ON DELETE CASCADE
) with (fillfactor=85);
CREATE INDEX order_search_words ON order_search USING gin (words) WITH (gin_pending_list_limit='1024');

create table order_search_queue (
  id bigint not null generated always as identity,
  order_id text not null,
  constraint order_search_queue_pkey PRIMARY KEY (id)
);

create table order_timeline (
  id bigint not null generated always as identity,
  order_id text not null,
  at timestamp with time zone not null,
  kind text not null,
  actor text,
  detail jsonb not null default '{}'::jsonb,
  constraint order_timeline_pkey PRIMARY KEY (id)
);
CREATE INDEX order_timeline_actor_latest ON order_timeline USING btree (actor, at, id) WHERE actor IS NOT NULL;
CREATE INDEX order_timeline_latest ON order_timeline USING btree (at, id) WHERE actor IS NOT NULL;
CREATE INDEX order_timeline_order ON order_timeline USING btree (order_id, id);
comment on table order_timeline is 'append only';

create table ordered_lines (
  line_id text not null,
  order_id text not null,
  constraint ordered_lines_pkey PRIMARY KEY (line_id),
  constraint ordered_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
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
  claim text,
  attention text,
  tracking jsonb,
  captured_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  restocked_at timestamp with time zone,
  discount_claim text,
  placement_key text,
  country text not null default ''::text,
  total_minor bigint not null default 0,
  email_canonical text,
  tags text[] not null default '{}'::text[],
  tag_keys text[] not null default '{}'::text[],
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_cart_id_key UNIQUE (cart_id),
  constraint orders_attention_check CHECK (attention = ANY (ARRAY['out_of_stock'::text, 'amount_mismatch'::text, 'refund_due'::text])),
  constraint orders_captured_minor_check CHECK (captured_minor >= 0),
  constraint orders_payment_status_check CHECK (payment_status = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'failed'::text, 'partially_refunded'::text, 'refunded'::text])),
  constraint orders_refunded_minor_check CHECK (refunded_minor >= 0),
  constraint orders_status_check CHECK (status = ANY (ARRAY['placed'::text, 'paid'::text, 'fulfilled'::text, 'delivered'::text, 'cancelled'::text]))
);
CREATE INDEX orders_by_status ON orders USING btree (status, placed_at, id) INCLUDE (attention, payment_status, country);
CREATE INDEX orders_by_time ON orders USING btree (placed_at, id) INCLUDE (status, attention, payment_status, country, total_minor);
CREATE INDEX orders_by_total ON orders USING btree (total_minor, placed_at, id) INCLUDE (status, attention, payment_status, country);
CREATE INDEX orders_claim ON orders USING btree (claim) WHERE claim IS NOT NULL;
CREATE INDEX orders_customer ON orders USING btree (customer_id, placed_at DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX orders_email_canonical ON orders USING btree (email_canonical, placed_at DESC);
CREATE INDEX orders_list ON orders USING btree ((attention IS NOT NULL), placed_at, id) INCLUDE (attention);
CREATE UNIQUE INDEX orders_number ON orders USING btree (lower(number));
CREATE UNIQUE INDEX orders_placement_key ON orders USING btree (placement_key) WHERE placement_key IS NOT NULL;
CREATE INDEX orders_refund_due ON orders USING btree (id) WHERE attention = 'refund_due'::text;
CREATE INDEX orders_tags ON orders USING gin (tag_keys) WITH (fastupdate=off) WHERE tag_keys <> '{}'::text[];
CREATE INDEX orders_unread_email ON orders USING btree (id) WHERE email_canonical IS NULL;

create table outbox (
  id bigint not null generated always as identity,
  event_id text not null,
  name text not null,
  payload text not null,
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table payment_links (
  token_hash bytea not null,
  draft_id text not null,
  constraint payment_links_pkey PRIMARY KEY (token_hash),
  constraint payment_links_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES draft_orders(id) ON DELETE CASCADE
);
CREATE INDEX payment_links_draft ON payment_links USING btree (draft_id);

create table payment_sessions (
  id text not null,
  order_id text not null,
  cart_id text not null,
  asked_cart_id text not null,
  provider text not null,
  provider_session text,
  url text,
  status text not null,
  customer_id text,
  email text not null,
  document jsonb not null,
  number_prefix text not null,
  request_hash bytea not null,
  claim text,
  discount_claim text,
  secret_hashes bytea[] not null,
  success_url text,
  cancel_url text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  reconciled_at timestamp with time zone,
  merged_cart_ids text[] not null default '{}'::text[],
  line_ids text[] not null default '{}'::text[],
  buyer_keys text[] not null default '{}'::text[],
  due_since timestamp with time zone,
  constraint payment_sessions_pkey PRIMARY KEY (id),
  constraint payment_sessions_order_id_key UNIQUE (order_id),
  constraint payment_sessions_status_check CHECK (status = ANY (ARRAY['creating'::text, 'open'::text, 'completed'::text, 'cancelled'::text, 'expired'::text, 'failed'::text, 'superseded'::text]))
);
CREATE INDEX payment_sessions_asked_cart ON payment_sessions USING btree (asked_cart_id, created_at) WHERE asked_cart_id <> cart_id;
CREATE INDEX payment_sessions_buyers ON payment_sessions USING gin (buyer_keys) WITH (fastupdate=off) WHERE status = ANY (ARRAY['creating'::text, 'open'::text]);
CREATE INDEX payment_sessions_cart ON payment_sessions USING btree (cart_id, created_at);
CREATE INDEX payment_sessions_created ON payment_sessions USING btree (created_at);
CREATE INDEX payment_sessions_customer ON payment_sessions USING btree (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX payment_sessions_due ON payment_sessions USING btree (expires_at) WHERE status = ANY (ARRAY['creating'::text, 'open'::text]);
CREATE INDEX payment_sessions_ended ON payment_sessions USING btree (expires_at) WHERE status = ANY (ARRAY['cancelled'::text, 'expired'::text, 'failed'::text, 'superseded'::text]);
CREATE INDEX payment_sessions_guests ON payment_sessions USING btree (plain_email_canonical(email)) WHERE customer_id IS NULL AND status <> 'completed'::text;
CREATE INDEX payment_sessions_lines ON payment_sessions USING gin (line_ids) WITH (fastupdate=off) WHERE status = ANY (ARRAY['creating'::text, 'open'::text]);
CREATE INDEX payment_sessions_merged ON payment_sessions USING gin (merged_cart_ids) WITH (fastupdate=off) WHERE (status = ANY (ARRAY['creating'::text, 'open'::text])) AND discount_claim IS NOT NULL;
CREATE UNIQUE INDEX payment_sessions_provider ON payment_sessions USING btree (provider, provider_session) WHERE provider_session IS NOT NULL;
CREATE INDEX payment_sessions_unreconciled ON payment_sessions USING btree (created_at) WHERE reconciled_at IS NULL AND (status = ANY (ARRAY['cancelled'::text, 'expired'::text, 'failed'::text, 'superseded'::text]));
CREATE UNIQUE INDEX payment_sessions_waiting ON payment_sessions USING btree (cart_id) WHERE status = ANY (ARRAY['creating'::text, 'open'::text]);

create table payments (
  provider text not null,
  reference text not null,
  order_id text,
  session_id text,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  method text,
  received_at timestamp with time zone not null,
  constraint payments_pkey PRIMARY KEY (provider, reference),
  constraint payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint payments_session_id_fkey FOREIGN KEY (session_id) REFERENCES payment_sessions(id) ON DELETE SET NULL,
  constraint payments_amount_minor_check CHECK (amount_minor >= 0),
  constraint payments_status_check CHECK (status = ANY (ARRAY['authorized'::text, 'captured'::text, 'failed'::text]))
);
CREATE INDEX payments_authorized ON payments USING btree (session_id) WHERE status = 'authorized'::text;
CREATE INDEX payments_order ON payments USING btree (order_id);
CREATE INDEX payments_received ON payments USING btree (received_at);
CREATE INDEX payments_session ON payments USING btree (session_id) WHERE session_id IS NOT NULL;

create table placement_keys (
  key text not null,
  order_id text not null,
  constraint placement_keys_pkey PRIMARY KEY (key),
  constraint placement_keys_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table product_sales_days (
  day date not null,
  currency text not null,
  product integer not null,
  units integer not null,
  revenue_minor bigint not null,
  constraint product_sales_days_pkey PRIMARY KEY (day, currency, product)
);

create table product_sales_months (
  month date not null,
  currency text not null,
  product integer not null,
  units integer not null,
  revenue_minor bigint not null,
  constraint product_sales_months_pkey PRIMARY KEY (month, currency, product)
);

create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  payload bytea not null,
  received_at timestamp with time zone not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  last_error text,
  constraint provider_events_pkey PRIMARY KEY (provider, event_id),
  constraint provider_events_status_check CHECK (status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX provider_events_due ON provider_events USING btree (next_attempt_at) WHERE status = 'pending'::text;
CREATE INDEX provider_events_received ON provider_events USING btree (received_at);

create table receipt_checks (
  consumer text not null,
  checked_until timestamp with time zone not null,
  constraint receipt_checks_pkey PRIMARY KEY (consumer)
);

create table reconciliation (
  only_row boolean not null default true,
  report jsonb not null,
  checked_until timestamp with time zone not null,
  disagreeing text[] not null,
  constraint reconciliation_pkey PRIMARY KEY (only_row),
  constraint reconciliation_only_row_check CHECK (only_row)
);

create table refunds (
  id text not null,
  order_id text not null,
  provider text not null,
  payment_reference text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  restock boolean,
  restocked boolean not null default false,
  status text not null,
  reference text,
  of_duplicate boolean not null default false,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  last_error text,
  lines jsonb,
  request_hash bytea,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint refunds_amount_minor_check CHECK (amount_minor > 0),
  constraint refunds_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX refunds_due ON refunds USING btree (next_attempt_at) WHERE status = 'pending'::text;
CREATE INDEX refunds_order ON refunds USING btree (order_id, created_at);
CREATE UNIQUE INDEX refunds_reference ON refunds USING btree (provider, reference) WHERE reference IS NOT NULL;
CREATE INDEX refunds_settled ON refunds USING btree (settled_at) WHERE settled_at IS NOT NULL;

create table sales_changes (
  id bigint not null generated always as identity,
  day date not null,
  currency text not null,
  revenue_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  checkouts integer not null default 0,
  order_id text,
  constraint sales_changes_pkey PRIMARY KEY (id)
);

create table sales_days (
  day date not null,
  currency text not null,
  revenue_minor bigint not null,
  refunded_minor bigint not null,
  orders integer not null,
  units integer not null,
  checkouts integer not null,
  checkouts_paid integer not null,
  constraint sales_days_pkey PRIMARY KEY (day, currency)
);

create table sent_events (
  id bigint not null,
  event_id text not null,
  name text not null,
  payload text not null,
  sent_at timestamp with time zone not null default now(),
  constraint sent_events_pkey PRIMARY KEY (id)
);
CREATE INDEX sent_events_sent ON sent_events USING btree (sent_at);

create table sold_products (
  id integer not null generated always as identity,
  product text not null,
  product_id text,
  slug text not null,
  title text not null,
  image jsonb,
  constraint sold_products_pkey PRIMARY KEY (id),
  constraint sold_products_product_key UNIQUE (product)
);

CREATE TRIGGER count_captured_payment AFTER INSERT ON order_timeline FOR EACH ROW WHEN (new.kind = 'payment_captured'::text) EXECUTE FUNCTION count_captured_payment();

CREATE TRIGGER count_begun_order AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_begun_order();

CREATE TRIGGER count_changed_order AFTER UPDATE ON orders FOR EACH ROW WHEN (new.placed_at IS DISTINCT FROM old.placed_at OR new.country IS DISTINCT FROM old.country OR new.status IS DISTINCT FROM old.status OR new.payment_status IS DISTINCT FROM old.payment_status OR new.attention IS DISTINCT FROM old.attention) EXECUTE FUNCTION count_order();

CREATE TRIGGER count_new_order AFTER INSERT OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION count_order();

CREATE TRIGGER keep_order_search_status AFTER UPDATE OF status, attention, placed_at ON orders FOR EACH ROW WHEN (new.status IS DISTINCT FROM old.status OR new.attention IS DISTINCT FROM old.attention OR new.placed_at IS DISTINCT FROM old.placed_at) EXECUTE FUNCTION keep_order_search_status();

CREATE TRIGGER queue_changed_buyer AFTER UPDATE OF status, email, email_canonical, customer_id, captured_minor, refunded_minor ON orders FOR EACH ROW WHEN (new.status IS DISTINCT FROM old.status OR new.email IS DISTINCT FROM old.email OR new.email_canonical IS DISTINCT FROM old.email_canonical OR new.customer_id IS DISTINCT FROM old.customer_id OR new.captured_minor IS DISTINCT FROM old.captured_minor OR new.refunded_minor IS DISTINCT FROM old.refunded_minor) EXECUTE FUNCTION queue_buyer_change();

CREATE TRIGGER queue_changed_order_search AFTER UPDATE OF number, email, document, payment_reference, tracking ON orders FOR EACH ROW WHEN (new.number IS DISTINCT FROM old.number OR new.email IS DISTINCT FROM old.email OR new.document IS DISTINCT FROM old.document OR new.payment_reference IS DISTINCT FROM old.payment_reference OR new.tracking IS DISTINCT FROM old.tracking) EXECUTE FUNCTION queue_order_search();

CREATE TRIGGER queue_new_buyer AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION queue_buyer_change();

CREATE TRIGGER queue_order_search AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION queue_order_search();

CREATE TRIGGER set_email_canonical BEFORE INSERT OR UPDATE OF email ON orders FOR EACH ROW EXECUTE FUNCTION set_email_canonical();

CREATE TRIGGER set_order_list_columns BEFORE INSERT OR UPDATE OF document ON orders FOR EACH ROW EXECUTE FUNCTION set_order_list_columns();

CREATE TRIGGER count_begun_session AFTER INSERT ON payment_sessions FOR EACH ROW EXECUTE FUNCTION count_begun_session();

CREATE TRIGGER count_refund AFTER INSERT OR UPDATE OF status ON refunds FOR EACH ROW WHEN (NOT new.of_duplicate) EXECUTE FUNCTION count_refund();

-- The service may select, insert, update and delete in every table, but:
--   audit_entries: the service may insert, select
--   invoices: the service may insert, select
--   migrations: the service may select
--   order_timeline: the service may insert, select
