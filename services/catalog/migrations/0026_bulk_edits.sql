-- Changes of many products at once, and the undo of them. They are processed in batches, one edit after the other.
-- Deleted after thirty days (retention.ts).
create table bulk_edits (
  id text primary key,
  created_at timestamptz not null,
  finished_at timestamptz,
  actor jsonb not null,
  -- Null for an undo.
  change jsonb,
  -- For an undo: the edit whose changes it takes away.
  undoes text references bulk_edits on delete cascade,
  state text not null check (state in ('queued', 'running', 'done', 'cancelled')),
  total integer not null,
  changed integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  -- The first hundred products that could not be changed, with the reason.
  problems jsonb not null default '[]',
  -- Products are processed in the order of their ids: up to this one so far. Written with their changes, so that a crash
  -- neither skips nor repeats a product.
  last_product text not null default '',
  -- SHA-256 of the Idempotency-Key with its caller, and of the request that came with it.
  key_digest bytea unique,
  request_digest bytea
);
-- The list of bulk edits, the latest first.
create index bulk_edits_created on bulk_edits (created_at desc, id desc);
-- What there is to do: few rows of many.
create index bulk_edits_open on bulk_edits (created_at, id) where finished_at is null;
-- An edit is undone once. An undo that was canceled may be requested again.
create unique index bulk_edits_undoes on bulk_edits (undoes) where state <> 'cancelled';

-- The products of a bulk edit as they were selected, and what it changed about them, for its undo. Deleted two days after
-- its end (retention.ts).
create table bulk_edit_products (
  edit_id text not null references bulk_edits on delete cascade,
  product_id text not null,
  -- The changed fields; null for a product that waits, or was not changed.
  before jsonb,
  after jsonb,
  primary key (edit_id, product_id)
);

-- A bulk edit writes an entry for each product, which the activity leaves out: there one entry stands for all of them.
alter table audit_entries drop constraint audit_entries_action_check;
alter table audit_entries add constraint audit_entries_action_check
  check (action in ('create', 'update', 'delete', 'import', 'bulk-edit'));
-- The same three ways to read the activity as in 0020, without the entries that it leaves out: a page would otherwise read
-- past a hundred thousand of them.
create index audit_entries_shown on audit_entries (at, id) where action <> 'bulk-edit';
drop index audit_entries_actor_latest;
create index audit_entries_actor_latest on audit_entries (actor, at, id) where action <> 'bulk-edit';
drop index audit_entries_kind_latest;
create index audit_entries_kind_latest on audit_entries (subject_kind, at, id) where action <> 'bulk-edit';
