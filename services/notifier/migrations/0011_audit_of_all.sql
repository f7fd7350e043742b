-- The audit holds what admins did to endpoints, and from now on also what they had sent: deliveries again, mails, and tests
-- of both. It has the shape that every service's audit has.
alter table endpoint_audit rename to audit_entries;
alter table audit_entries rename column endpoint_id to subject_id;
alter table audit_entries add column subject_kind text not null default 'webhook';
alter table audit_entries drop constraint endpoint_audit_action_check;
alter table audit_entries rename constraint endpoint_audit_pkey to audit_entries_pkey;
alter index endpoint_audit_actor rename to audit_entries_actor;
drop index endpoint_audit_endpoint;
create index audit_entries_subject on audit_entries (subject_kind, subject_id, id desc);
-- GET /admin/activity reads by time: all of it, of one person, or about one kind of thing.
create index audit_entries_latest on audit_entries (at, id);
create index audit_entries_actor_latest on audit_entries (actor, at, id);
create index audit_entries_kind_latest on audit_entries (subject_kind, at, id);

-- For replicas of the version before, which go on until the last of them is replaced. It asks for the rights of its reader:
-- the table stays append only.
create view endpoint_audit with (security_invoker = true) as
  select id, at, actor, action, subject_id as endpoint_id, before, after from audit_entries where subject_kind = 'webhook';
