-- Who created, changed, deleted or imported which discount, and when. `before` and `after` hold the fields that differ; a
-- discount that is new has no before, one that is gone no after. The entries outlive the discounts.
create table audit_entries (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  -- Id of the admin user or of the secret key.
  actor text not null,
  action text not null check (action in ('create', 'update', 'delete', 'import')),
  subject_kind text not null,
  -- The code of the discount.
  subject_id text not null,
  before jsonb,
  after jsonb
);
-- What became of one discount, and what one person did, in the order in which it was written.
create index audit_entries_subject on audit_entries (subject_kind, subject_id, id desc);
create index audit_entries_actor on audit_entries (actor, id desc);
-- GET /admin/activity reads by time. An import of thousands of codes is one entry there, and catalog has it.
create index audit_entries_latest on audit_entries (at, id) where action <> 'import';
create index audit_entries_actor_latest on audit_entries (actor, at, id) where action <> 'import';
comment on table audit_entries is 'append only';
