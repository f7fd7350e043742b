-- What admins did in this service that is about no single order. What they did to an order stands in its timeline.
create table audit_entries (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  -- Id of the admin user or of the secret key.
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
-- GET /admin/activity reads by time, all of it or of one person.
create index audit_entries_latest on audit_entries (at, id);
create index audit_entries_actor_latest on audit_entries (actor, at, id);
comment on table audit_entries is 'append only';

-- The same of the timelines. Most steps happen by themselves, and are in neither index. Measured with 400,000 steps, of which
-- admins made 100,000: a page takes less than a tenth of a millisecond with these, and up to 80 ms without them.
create index order_timeline_latest on order_timeline (at, id) where actor is not null;
create index order_timeline_actor_latest on order_timeline (actor, at, id) where actor is not null;
