-- The repair of revocations reads all that are revoked, page by page in the order of their ids.
create index sessions_revoked on sessions (id) where revoked_at is not null;

-- For a day after a secret was replaced or taken back, whoever checks its signatures may still have the one before.
alter table credentials
  add column previous_sealed text,
  add column replaced_at timestamptz;

-- Sign-ins with addresses that nobody has are kept shorter than the rest: the clean-up looks for them alone.
create index admin_audit_unknown on admin_audit (at) where outcome = 'unknown';

-- Customers are searched for by parts of their address and name. The extension is trusted: the owner of the database may
-- create it, and catalog may have been first. Entries are sorted in at once, because new accounts are rare beside searches.
create extension if not exists pg_trgm with schema public;
create index customers_email_parts on customers using gin (lower(email) public.gin_trgm_ops) with (fastupdate = off);
create index customers_name_parts on customers using gin (lower(first_name || ' ' || last_name) public.gin_trgm_ops)
  with (fastupdate = off);
