-- The schema "cart" after all migrations of packages/postgres and services/cart.
-- For reading; made by npm run schema.

create table audit_entries (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_action_check CHECK (action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'import'::text]))
);
CREATE INDEX audit_entries_actor ON audit_entries USING btree (actor, id DESC);
CREATE INDEX audit_entries_actor_latest ON audit_entries USING btree (actor, at, id) WHERE action <> 'import'::text;
CREATE INDEX audit_entries_latest ON audit_entries USING btree (at, id) WHERE action <> 'import'::text;
CREATE INDEX audit_entries_subject ON audit_entries USING btree (subject_kind, subject_id, id DESC);
comment on table audit_entries is 'append only';

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
  discount_code text,
  recent_keys text[] not null default '{}'::text[],
  rejected_code text,
  claimed_at timestamp with time zone,
  constraint carts_pkey PRIMARY KEY (id),
  constraint carts_status_check CHECK (status = ANY (ARRAY['open'::text, 'converted'::text]))
) with (fillfactor=70);
CREATE INDEX carts_customer ON carts USING btree (customer_id, created_at DESC) WHERE customer_id IS NOT NULL;
CREATE INDEX carts_expired ON carts USING btree (expires_at);

create table discount_import_parts (
  number bigint not null,
  part integer not null,
  discounts jsonb not null,
  constraint discount_import_parts_pkey PRIMARY KEY (number, part),
  constraint discount_import_parts_number_fkey FOREIGN KEY (number) REFERENCES discount_imports(number) ON DELETE CASCADE
);

create table discount_imports (
  number bigint not null,
  import_id text not null,
  mode text not null,
  parts integer not null,
  at timestamp with time zone not null,
  applied_at timestamp with time zone,
  constraint discount_imports_pkey PRIMARY KEY (number),
  constraint discount_imports_mode_check CHECK (mode = ANY (ARRAY['merge'::text, 'replace'::text]))
);

create table discount_redemptions (
  id text not null,
  generation integer not null,
  discount_id bigint not null,
  code text not null,
  cart_id text not null,
  customer_id text,
  email_digest bytea,
  status text not null,
  held_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  buyer_hash bytea,
  constraint discount_redemptions_pkey PRIMARY KEY (id),
  constraint discount_redemptions_status_check CHECK (status = ANY (ARRAY['held'::text, 'used'::text, 'released'::text]))
) with (fillfactor=80);
CREATE INDEX discount_redemptions_buyer ON discount_redemptions USING btree (discount_id, buyer_hash) WHERE status <> 'released'::text AND buyer_hash IS NOT NULL;
CREATE UNIQUE INDEX discount_redemptions_cart ON discount_redemptions USING btree (cart_id, discount_id);
CREATE INDEX discount_redemptions_counted ON discount_redemptions USING btree (discount_id) WHERE status <> 'released'::text;
CREATE INDEX discount_redemptions_customer ON discount_redemptions USING btree (customer_id, discount_id) WHERE customer_id IS NOT NULL;
CREATE INDEX discount_redemptions_due ON discount_redemptions USING btree (expires_at) WHERE status = 'held'::text;
CREATE INDEX discount_redemptions_email ON discount_redemptions USING btree (discount_id, email_digest) WHERE status <> 'released'::text AND email_digest IS NOT NULL;
comment on column discount_redemptions.email_digest is 'Of older versions: replaced by buyer_hash when cart starts.';
comment on column discount_redemptions.buyer_hash is 'HMAC of the mailbox; null for an order without an address, and after the release.';

create table discounts (
  id bigint not null generated always as identity,
  code text not null,
  kind text not null,
  value bigint not null,
  label text,
  active boolean not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  min_subtotal_minor bigint,
  usage_limit integer,
  per_customer_limit integer,
  categories text[],
  products text[],
  used integer not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  import_number bigint,
  constraint discounts_pkey PRIMARY KEY (code),
  constraint discounts_id_key UNIQUE (id),
  constraint discounts_kind_check CHECK (kind = ANY (ARRAY['percent'::text, 'fixed'::text, 'shipping'::text])),
  constraint discounts_used_check CHECK (used >= 0),
  constraint discounts_value_check CHECK (value >= 0)
) with (fillfactor=80);
CREATE INDEX discounts_newest ON discounts USING btree (created_at DESC, id DESC);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  given_up_at timestamp with time zone,
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
  traceparent text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table receipt_checks (
  consumer text not null,
  checked_until timestamp with time zone not null,
  constraint receipt_checks_pkey PRIMARY KEY (consumer)
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

create view discount_uses as
 SELECT id,
    generation,
    discount_id,
    code,
    cart_id,
    customer_id,
    email_digest,
    status,
    held_at,
    expires_at,
    buyer_hash
   FROM discount_redemptions;

-- The service may select, insert, update and delete in every table, but:
--   audit_entries: the service may insert, select
--   migrations: the service may select
