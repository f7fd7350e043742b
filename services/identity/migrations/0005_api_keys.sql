create table api_keys (
  id text primary key,
  kind text not null check (kind in ('secret', 'publishable')),
  name text not null,
  permissions text[] not null,
  -- SHA-256 of a secret key. Of 256 random bits no more is needed to keep anybody from guessing it.
  digest text,
  -- A publishable key opens nothing, so that it is kept as it is.
  publishable_key text,
  -- Its first characters, to be recognised by.
  hint text not null,
  created_at timestamptz not null,
  -- An admin user or another key. No reference: a key belongs to the shop and outlives whoever made it.
  created_by text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- When Redis was last told of the revocation. Null on a revoked key: Redis does not know yet.
  shared_at timestamptz,
  check ((kind = 'secret') = (digest is not null)),
  check ((kind = 'publishable') = (publishable_key is not null))
);
-- The gateway's question for a key, and a guard against ever making the same one twice.
create unique index api_keys_digest on api_keys (digest);
-- Read every few seconds and nearly always empty.
create index api_keys_unshared on api_keys (id) where revoked_at is not null and shared_at is null;
