-- Where events go. Secrets are not here: the storefront's comes from the configuration.
create table endpoints (
  id text primary key,
  url text not null,
  -- Which types of event it gets; null is all of them.
  types text[],
  enabled boolean not null default true,
  disabled_reason text,
  -- The first of the failures since its last success; five days of them disable it.
  failing_since timestamptz,
  created_at timestamptz not null default now()
);

-- One event on its way to one endpoint. This is the queue and, afterwards, the log.
create table deliveries (
  id text primary key,
  seq bigint generated always as identity,
  endpoint_id text not null references endpoints (id),
  -- The id of the event, which is the webhook-id; of a merged row the newest event's.
  event_id text not null,
  type text not null,
  -- The very bytes that are signed and sent at every attempt.
  body text not null,
  -- What the event is about: of one subject one delivery is under way at a time.
  subject text not null,
  -- Whether a newer event on the subject may take the place of this one.
  mergeable boolean not null,
  version bigint,
  -- How many older events this row stands for beside its own.
  merged_events integer not null default 0,
  -- queued: never attempted. sending: claimed by a running copy. waiting: failed, will be tried again.
  status text not null default 'queued'
    check (status in ('queued', 'sending', 'waiting', 'delivered', 'dead', 'superseded')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_by text,
  lease_until timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'sending') = (leased_by is not null)),
  check (not mergeable or version is not null)
);

-- An event is one delivery to each endpoint, whatever the inbox may have forgotten.
create unique index deliveries_event on deliveries (endpoint_id, event_id);
-- Unsent events on one product or variant merge into one row.
create unique index deliveries_merge on deliveries (endpoint_id, subject) where mergeable and status = 'queued';
-- The claim reads what is due, oldest first, endpoint by endpoint.
create index deliveries_due on deliveries (endpoint_id, next_attempt_at, seq) where status in ('queued', 'waiting');
-- The claim asks whether an earlier delivery of the subject is still open.
create index deliveries_open on deliveries (endpoint_id, subject, seq) where status in ('queued', 'sending', 'waiting');
-- An older version must not follow a newer one.
create index deliveries_version on deliveries (endpoint_id, subject, version) where version is not null;
-- The search for claims whose holder is gone.
create index deliveries_lease on deliveries (lease_until) where status = 'sending';
-- The log is read newest first.
create index deliveries_log on deliveries (seq desc);
create index deliveries_log_by_status on deliveries (status, seq desc);

-- What happened each time something was sent.
create table attempts (
  id bigint generated always as identity primary key,
  delivery_id text not null references deliveries (id) on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  -- The first bytes of the answer.
  answer text
);
create index attempts_delivery on attempts (delivery_id, id);
