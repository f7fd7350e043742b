-- GET /admin/activity reads by time: all of it, of one person, or about one kind of action. The first serves what
-- admin_audit_at did.
create index admin_audit_latest on admin_audit (at, id);
create index admin_audit_actor_latest on admin_audit (actor, at, id);
create index admin_audit_action_latest on admin_audit (action, at, id);
drop index admin_audit_at;

-- Admin users that were removed and keys that are forgotten, by the names that they had last: the audits of all services hold
-- their ids, and are kept for good.
create table former_actors (
  id text primary key,
  kind text not null check (kind in ('user', 'key')),
  -- Null for those who went before this table was there.
  name text,
  email text,
  gone_at timestamptz not null
);
insert into former_actors (id, kind, email, gone_at)
  select distinct on (subject) subject, 'user', email, at from admin_audit
  where action = 'delete_user' and outcome = 'succeeded' and subject is not null order by subject, id desc;
