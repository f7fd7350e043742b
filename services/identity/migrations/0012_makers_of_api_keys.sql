alter table api_keys
  -- The admin user at the root of a key: who made it, or who made the key that made it. A key never may more than this user.
  -- Null on keys of older versions whose maker cannot sign in any more. No reference: a key stays in the list for 90 days.
  add column maker_id text;

with recursive roots as (
  select id, created_by as root from api_keys
  union
  select roots.id, parent.created_by from roots join api_keys parent on parent.id = roots.root
)
update api_keys set maker_id = maker.id
  from roots join admin_users maker on maker.id = roots.root and maker.disabled_at is null
  where roots.id = api_keys.id;

-- Older versions made keys that outlived their makers, and keys to the users of the shop that never ended. They go on for a
-- while, so that no machine stops unannounced: the audit and the list of keys tell when they end.
with ending as (
  select id, now() + case when maker_id is null then interval '30 days' else interval '90 days' end as latest
    from api_keys
    where kind = 'secret' and revoked_at is null and (expires_at is null or expires_at > now())
      and (maker_id is null or permissions && array['admins:write', 'credentials:write'])
), ended as (
  update api_keys set expires_at = ending.latest from ending
    where ending.id = api_keys.id and (api_keys.expires_at is null or api_keys.expires_at > ending.latest)
    returning api_keys.id
)
insert into admin_audit (at, action, outcome, subject, fields, address, request_id)
  select now(), 'limit_key', 'succeeded', id, array['expiresAt'], '-', 'migration 0012' from ended;
