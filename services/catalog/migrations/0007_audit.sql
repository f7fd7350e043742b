-- Who changed what in the shop, and when. `before` and `after` hold the fields that differ; a thing that was made has no
-- before, one that is gone no after. No secret is ever stored by this service, so none can get in here.
create table audit_entries (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  -- Id of the admin user or of the secret key.
  actor text not null,
  action text not null check (action in ('create', 'update', 'delete', 'import')),
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_entries_subject on audit_entries (subject_kind, subject_id, id desc);
create index audit_entries_actor on audit_entries (actor, id desc);
comment on table audit_entries is 'append only';
