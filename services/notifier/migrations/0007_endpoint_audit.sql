-- Who registered, changed or deleted an endpoint, and when. `before` and `after` hold what differs; one that was made has no
-- before, one that is gone no after. Of secrets and paths it says only that they changed. It outlives the endpoints: when one
-- is deleted, who did it is what an owner wants to know.
create table endpoint_audit (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  -- Id of the admin user or of the secret key.
  actor text not null,
  action text not null check (action in ('create', 'update', 'delete')),
  endpoint_id text not null,
  before jsonb,
  after jsonb
);
-- What became of one endpoint, and what one person did, newest first.
create index endpoint_audit_endpoint on endpoint_audit (endpoint_id, id desc);
create index endpoint_audit_actor on endpoint_audit (actor, id desc);
comment on table endpoint_audit is 'append only';
