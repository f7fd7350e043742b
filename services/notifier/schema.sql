-- The schema "notifier" after all migrations of packages/postgres and services/notifier.
-- For reading; made by npm run schema.

create table attempts (
  id bigint not null generated always as identity,
  delivery_id text not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  error text,
  answer text,
  constraint attempts_pkey PRIMARY KEY (id),
  constraint attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON DELETE CASCADE
);
CREATE INDEX attempts_delivery ON attempts USING btree (delivery_id, id);

create table audit_entries (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  subject_kind text not null default 'webhook'::text,
  constraint audit_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entries_actor ON audit_entries USING btree (actor, id DESC);
CREATE INDEX audit_entries_actor_latest ON audit_entries USING btree (actor, at, id);
CREATE INDEX audit_entries_kind_latest ON audit_entries USING btree (subject_kind, at, id);
CREATE INDEX audit_entries_latest ON audit_entries USING btree (at, id);
CREATE INDEX audit_entries_subject ON audit_entries USING btree (subject_kind, subject_id, id DESC);
comment on table audit_entries is 'append only';

create table deleted_customers (
  customer_id text not null,
  heard_at timestamp with time zone not null,
  constraint deleted_customers_pkey PRIMARY KEY (customer_id)
);

create table deliveries (
  id text not null,
  seq bigint not null generated always as identity,
  endpoint_id text not null,
  event_id text not null,
  type text not null,
  body text not null,
  subject text not null,
  mergeable boolean not null,
  version bigint,
  merged_events integer not null default 0,
  status text not null default 'queued'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  leased_by text,
  lease_until timestamp with time zone,
  last_status integer,
  last_error text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  failures integer not null default 0,
  replays integer not null default 0,
  traceparent text,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_check CHECK ((status = 'sending'::text) = (leased_by IS NOT NULL)),
  constraint deliveries_check1 CHECK (NOT mergeable OR version IS NOT NULL),
  constraint deliveries_status_check CHECK (status = ANY (ARRAY['queued'::text, 'sending'::text, 'waiting'::text, 'delivered'::text, 'dead'::text, 'superseded'::text]))
);
CREATE INDEX deliveries_due ON deliveries USING btree (endpoint_id, next_attempt_at, seq) WHERE status = ANY (ARRAY['queued'::text, 'waiting'::text]);
CREATE UNIQUE INDEX deliveries_event ON deliveries USING btree (event_id, endpoint_id);
CREATE INDEX deliveries_lease ON deliveries USING btree (lease_until) WHERE status = 'sending'::text;
CREATE INDEX deliveries_log ON deliveries USING btree (seq DESC);
CREATE INDEX deliveries_log_by_endpoint ON deliveries USING btree (endpoint_id, seq DESC);
CREATE INDEX deliveries_log_by_status ON deliveries USING btree (status, seq DESC) WHERE status = ANY (ARRAY['queued'::text, 'waiting'::text, 'dead'::text, 'superseded'::text]);
CREATE INDEX deliveries_log_by_time ON deliveries USING btree (created_at, seq);
CREATE INDEX deliveries_log_by_type ON deliveries USING btree (type, seq DESC);
CREATE UNIQUE INDEX deliveries_merge ON deliveries USING btree (endpoint_id, subject) WHERE mergeable AND status = 'queued'::text;
CREATE INDEX deliveries_open ON deliveries USING btree (subject, seq) WHERE status = ANY (ARRAY['queued'::text, 'sending'::text, 'waiting'::text]);
CREATE UNIQUE INDEX deliveries_under_way ON deliveries USING btree (subject, endpoint_id) WHERE leased_by IS NOT NULL;
CREATE INDEX deliveries_version ON deliveries USING btree (subject, version) WHERE version IS NOT NULL;

create table endpoints (
  id text not null,
  url text not null,
  types text[],
  enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  description text not null default ''::text,
  secret text,
  previous_secret text,
  previous_until timestamp with time zone,
  disabled_by text,
  disabled_at timestamp with time zone,
  failures integer not null default 0,
  paused_until timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint endpoints_pkey PRIMARY KEY (id),
  constraint endpoints_check CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

create table erased_addresses (
  address_hash bytea not null,
  erased_at timestamp with time zone not null,
  constraint erased_addresses_pkey PRIMARY KEY (address_hash)
);

create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamp with time zone not null default now(),
  given_up_at timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

create table known_settings (
  only_row boolean not null,
  version integer not null,
  answer jsonb not null,
  constraint known_settings_pkey PRIMARY KEY (only_row),
  constraint known_settings_only_row_check CHECK (only_row)
);

create table mail_counts (
  subject text not null,
  since timestamp with time zone not null,
  mails integer not null,
  constraint mail_counts_pkey PRIMARY KEY (subject, since),
  constraint mail_counts_mails_check CHECK (mails > 0)
);
CREATE INDEX mail_counts_since ON mail_counts USING btree (since);

create table mails (
  id text not null,
  seq bigint not null generated always as identity,
  event_id text not null,
  kind text not null,
  recipient text not null,
  reference text not null,
  data jsonb not null,
  event_at timestamp with time zone not null,
  phase text not null default 'queued'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  leased_by text,
  lease_until timestamp with time zone,
  answer text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  customer_id text,
  bounced boolean not null default false,
  test boolean not null default false,
  traceparent text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_once UNIQUE (event_id, kind),
  constraint mails_phase_check CHECK (phase = ANY (ARRAY['queued'::text, 'connecting'::text, 'handed-over'::text, 'sent'::text, 'failed'::text, 'uncertain'::text, 'dropped'::text, 'withheld'::text]))
);
CREATE INDEX mails_by_canonical_recipient ON mails USING btree (recipient, seq DESC) WHERE recipient <> ''::text;
CREATE INDEX mails_by_reference ON mails USING btree (reference, seq DESC);
CREATE INDEX mails_customer ON mails USING btree (customer_id, seq) WHERE customer_id IS NOT NULL;
CREATE INDEX mails_due ON mails USING btree (next_attempt_at, seq) WHERE phase = 'queued'::text;
CREATE INDEX mails_lease ON mails USING btree (lease_until) WHERE phase = ANY (ARRAY['connecting'::text, 'handed-over'::text]);
CREATE INDEX mails_log ON mails USING btree (seq DESC);
CREATE INDEX mails_log_by_phase ON mails USING btree (phase, seq DESC) WHERE phase = ANY (ARRAY['queued'::text, 'failed'::text, 'uncertain'::text, 'dropped'::text, 'withheld'::text]);
CREATE INDEX mails_tests ON mails USING btree (created_at) WHERE test;
CREATE INDEX mails_withheld ON mails USING btree (reference) WHERE phase = 'withheld'::text;

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

create table smtp_password (
  only_row boolean not null,
  given_at timestamp with time zone not null,
  host text not null,
  constraint smtp_password_pkey PRIMARY KEY (only_row),
  constraint smtp_password_only_row_check CHECK (only_row)
);

create view endpoint_audit as
 SELECT id,
    at,
    actor,
    action,
    subject_id AS endpoint_id,
    before,
    after
   FROM audit_entries
  WHERE subject_kind = 'webhook'::text;

-- The service may select, insert, update and delete in every table, but:
--   audit_entries: the service may insert, select
--   migrations: the service may select
